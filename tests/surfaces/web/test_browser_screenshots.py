"""The script that takes the pictures of the explorer for the documents."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.support.paths import ROOT
from tests.support.web_server import Served

sys.path.append(str(ROOT / "docs"))
import screenshots

pytestmark = pytest.mark.heavy


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_the_script_takes_a_picture_of_the_page_as_it_is(browser: Any, explorer: Served) -> None:
    (shot,) = (each for each in screenshots.SHOTS if each.act is screenshots.move_a_base_score)
    assert size(screenshots.take(browser, explorer.address, shot, "dark")) == (shot.width, shot.height)


def test_the_documents_have_every_picture_of_the_script_in_its_size() -> None:
    for shot in screenshots.SHOTS:
        for scheme in shot.schemes:
            file = ROOT / "docs" / "pictures" / f"{shot.name}{'-dark' if scheme == 'dark' else ''}.png"
            assert size(file.read_bytes()) == (int(shot.width * shot.scale), int(shot.height * shot.scale))
