"""Files as text: read whole, with every failure a FormatError; written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from ..errors import FormatError, TooLarge

MAX_BYTES = 256 * 2**20


def load(path: Path) -> str:
    """The text of a file in UTF-8, without its byte order mark."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except IsADirectoryError:
        raise FormatError("is a folder; give a file", str(path)) from None
    except FileNotFoundError:
        raise FormatError(f"no such file{_nearest(path)}", str(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)) from None
    if len(data) > MAX_BYTES:
        raise TooLarge(f"{path} is over the limit of {MAX_BYTES:,} bytes")
    return decoded(data, str(path))


def decoded(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("is UTF-16; save it as UTF-8", name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"is not UTF-8 text: byte 0x{data[error.start]:02x} stands here", name, line) from None
    if "\0" in text:
        raise FormatError("is binary, not text: a NUL stands here", name, text.count("\n", 0, text.index("\0")) + 1)
    return text


def _nearest(path: Path) -> str:
    with suppress(OSError):
        near = get_close_matches(path.name, (each.name for each in path.parent.iterdir()), n=1, cutoff=0.5)
        return f"; did you mean {near[0]!r}?" if near else ""
    return f"; the folder {str(path.parent)!r} is not there either"


def store(texts: Mapping[Path, str | bytes]) -> None:
    """Write all texts (or bytes) beside their places first, then move each into place; a failure leaves the old."""
    waiting: dict[str, Path] = {}
    path = Path()
    try:
        for path, text in texts.items():
            place = Path(os.path.realpath(path))  # through a link, which stays one
            waiting[_written_beside(place, text)] = place
        for temporary, path in waiting.items():
            os.replace(temporary, path)
    except UnicodeEncodeError:
        raise FormatError("not written: a name or label holds half a surrogate pair", str(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"cannot be written: {reason}", str(path)) from None
    finally:
        for temporary in waiting:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


def _written_beside(path: Path, text: str | bytes) -> str:
    import tempfile  # here: reading does not need it, and it takes as long to import as all of this package

    data = text.encode() if isinstance(text, str) else text
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _mode(path: Path) -> int:
    """The old file's permissions, else those of any new file: mkstemp's own are for secrets."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
