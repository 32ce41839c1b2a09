"""The command `mcp`."""

from __future__ import annotations

from pathlib import Path

from ...errors import InvalidInput
from ..completion import complete_file
from ..options import Argument

FOLDER_TEXT = "The folder whose files may be read. Default: the current one."
PARAMETERS = [Argument("folder", "FOLDER", FOLDER_TEXT, complete_file, required=False)]


def run(*, folder: str | None) -> None:
    """Serve the tools until the client closes its end."""
    import asyncio

    place = Path(folder or ".")
    if not place.is_dir():
        raise InvalidInput(f"no folder {str(place)!r}; name one that exists")
    from ...extras import require

    for package in ("mcp", "pydantic"):
        require(package, "qontrast mcp")
    from ...web.agents import serve_agents

    asyncio.run(serve_agents(place))
