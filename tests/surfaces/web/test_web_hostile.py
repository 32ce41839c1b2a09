"""Hostile requests leave the server answering, with no 500: a hundred here, a thousand in `make test-heavy`, a hundred
thousand in `make soak`."""

from __future__ import annotations

import httpx

from tests.support import hostile
from tests.support.profiles import HEAVY
from tests.support.web_server import Served

REQUESTS = 500 if HEAVY else 40


def test_requests_by_the_schema_and_beside_it_are_answered(explorer: Served, client: httpx.Client) -> None:
    seen = hostile.by_schema(explorer.address, REQUESTS)
    assert sum(seen.values()) >= 0.8 * REQUESTS
    assert explorer.app.state.pool.failures == 0
    assert client.get("/api/tables").status_code == 200


def test_mutated_uploads_and_bodies_are_answered(explorer: Served, client: httpx.Client) -> None:
    seen = hostile.fuzzed(explorer.address, REQUESTS)
    assert {200, 422} <= set(seen)
    assert explorer.app.state.pool.failures == 0
    assert client.get("/api/tables").status_code == 200
