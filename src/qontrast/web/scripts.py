"""The scripts and styles of the page as they are sent: without comments and indentation, which only readers need."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(str(files(__package__).joinpath("static")))
MEDIA = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
COMMENTS = {
    # those on lines of their own, and those after code that have no quotes, so that they are not part of a text
    ".js": re.compile(r"^[ \t]*(//[^\n]*|/\*.*?\*/[ \t]*)\n|(?<=[;{},)\]]) +// [^\n'\"`]*$", re.MULTILINE | re.DOTALL),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
}
INDENTATION = re.compile(r"^[ \t]+|^\n", re.MULTILINE)
SPACES_IN_RULES = re.compile(r"\s*([{};])\s*|(?<=[:,]) +")  # no text that is quoted has spaces at these signs


def compact(text: str, suffix: str) -> str:
    """Leave out comments, indentation and empty lines; in a script no text that is quoted begins a line.

    >>> compact("// one\\nif (x) {\\n  go(); // two\\n}\\n", ".js")
    'if (x) {\\ngo();\\n}\\n'
    """
    if suffix not in COMMENTS:
        return text
    found = INDENTATION.sub("", COMMENTS[suffix].sub("", text))
    return SPACES_IN_RULES.sub(r"\1", found).replace(";}", "}") if suffix == ".css" else found


@cache
def read_files() -> dict[str, tuple[bytes, str, str]]:
    """Read what the page loads, by name: content, media type and a tag that changes with the content."""
    found = {}
    for path in STATIC.iterdir():
        if path.suffix in MEDIA:
            content = compact(path.read_text(encoding="utf-8"), path.suffix).encode()
            found[path.name] = content, MEDIA[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return found


async def send_file(request: Request) -> Response:
    """Send a script, a style or a picture; where the browser has it already, say so."""
    found = read_files().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    content, media, tag = found
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media, headers=headers)
