"""One server for all tests of the web."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("starlette", reason="the explorer needs qontrast[web]")

from tests.support.web_server import Served, served


@pytest.fixture(scope="session")
def explorer() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture(scope="session")
def client(explorer: Served) -> Iterator[httpx.Client]:
    with explorer.client() as made:
        yield made


@pytest.fixture(scope="session")
def healthcare(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/examples/healthcare").json()
    return found
