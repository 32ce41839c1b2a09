"""A thousand hostile requests leave the server answering, with no 500; `make soak` sends a hundred thousand."""

from __future__ import annotations

import httpx

from tests.support import hostile
from tests.support.web_server import Served


def test_requests_by_the_schema_and_beside_it_are_answered(explorer: Served, client: httpx.Client) -> None:
    seen = hostile.by_schema(explorer.address, 500)
    assert sum(seen.values()) >= 400
    assert explorer.app.state.pool.failures == 0
    assert client.get("/api/tables").status_code == 200


def test_mutated_uploads_and_bodies_are_answered(explorer: Served, client: httpx.Client) -> None:
    seen = hostile.fuzzed(explorer.address, 600)
    assert {200, 422} <= set(seen)
    assert explorer.app.state.pool.failures == 0
    assert client.get("/api/tables").status_code == 200
