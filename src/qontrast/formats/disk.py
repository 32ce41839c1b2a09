"""Files as text: read whole, with every failure a FormatError; written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import IO

from ..errors import FormatError, TooLarge

MAX_BYTES = 256 * 2**20
MAX_LINKS = 40  # symbolic links followed from one to the next, as Linux does


def read_file(path: Path) -> str:
    """Return the text of a file in UTF-8, without its byte order mark."""
    with open_file(path) as file:
        return read_open(file, str(path))


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading."""
    try:
        return path.open("rb")
    except IsADirectoryError:
        raise FormatError("is a folder; give a file", str(path)) from None
    except FileNotFoundError:
        raise refuse_missing(path) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _fail("cannot be read", error, str(path)) from None


def read_open(file: IO[str] | IO[bytes], name: str) -> str:
    """Return the text of a file that is open for reading, as text or as bytes."""
    try:
        data = file.read(MAX_BYTES + 1) or ""
    except UnicodeDecodeError:
        raise FormatError("is not text in the encoding that it was opened with; open it as UTF-8", name) from None
    except (OSError, ValueError) as error:  # open for writing only, or closed
        raise _fail("cannot be read", error, name) from None
    if len(data) > MAX_BYTES:
        raise TooLarge(f"{name} is over the limit of {MAX_BYTES:,} bytes")
    return decode(data, name) if isinstance(data, bytes) else data.removeprefix("\ufeff")


def _fail(what: str, error: Exception, name: str) -> FormatError:
    return FormatError(f"{what}: {getattr(error, 'strerror', None) or error}", name)


def decode(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("is UTF-16; save it as UTF-8", name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"is not UTF-8 text: this line has the byte 0x{data[error.start]:02x}", name, line) from None
    if "\0" in text:
        raise FormatError("is binary, not text: this line has a NUL", name, text.count("\n", 0, text.index("\0")) + 1)
    return text


def refuse_missing(path: Path) -> FormatError:
    """The error for a file that is not there."""
    return FormatError(f"no such file{_suggest_nearest(path)}", str(path))


def _suggest_nearest(path: Path) -> str:
    with suppress(OSError):
        near = get_close_matches(path.name, (each.name for each in path.parent.iterdir()), n=1, cutoff=0.5)
        return f"; did you mean {near[0]!r}?" if near else ""
    return f"; the folder {str(path.parent)!r} does not exist either"


def write_files(texts: Mapping[Path, str | bytes]) -> None:
    """Write all texts (or bytes), each whole or not at all.

    Regular files are written beside their places first and then moved there, so that a failure leaves the old ones. A
    device, a pipe or a standard stream is written into. A symbolic link stays, and its target is written.
    """
    waiting: dict[str, Path] = {}
    path = Path()
    try:
        streams: dict[Path, bytes] = {}
        for path, text in texts.items():
            data = text.encode() if isinstance(text, str) else text
            if is_stream(path):
                streams[path] = data
            else:
                place = Path(os.path.realpath(path))
                waiting[_written_beside(place, data)] = place
        for path, data in streams.items():
            _write_into(path, data)
        for temporary, path in waiting.items():
            os.replace(temporary, path)
    except UnicodeEncodeError:
        raise FormatError("not written: a name or label holds half a surrogate pair", str(path)) from None
    except IsADirectoryError:
        raise FormatError("is a folder; give the name of a file in it", str(path)) from None
    except BrokenPipeError:
        raise  # the reader has seen enough
    except (OSError, ValueError) as error:
        raise _fail("cannot be written", error, str(path)) from None
    finally:
        for temporary in waiting:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


def is_stream(path: Path) -> bool:
    """Whether a path is written into and never replaced: an open descriptor, or anything but a regular file."""
    if find_descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return not stat.S_ISREG(mode)


def find_descriptor(path: Path) -> int | None:
    """The open descriptor that a path stands for, as `/dev/fd/3` does, or `/dev/stdout`, which is a link to one.

    >>> find_descriptor(Path("/dev/fd/1")), find_descriptor(Path("/proc/self/fd/7")), find_descriptor(Path("stdout"))
    (1, 7, None)
    """
    for _ in range(MAX_LINKS):
        number = re.fullmatch(r"(?:/dev/fd|/proc/self/fd)/(\d+)", os.path.abspath(path))
        if number:
            return int(number[1])
        try:
            path = path.parent / os.readlink(path)
        except (OSError, ValueError):  # no link, or no path at all
            return None
    return None


def _write_into(path: Path, data: bytes) -> None:
    number = find_descriptor(path)
    if number in (1, 2):  # what was printed before comes first
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    handle = os.dup(number) if number is not None else os.open(path, os.O_WRONLY)
    with os.fdopen(handle, "wb", buffering=0) as file:
        left = memoryview(data)
        while len(left):
            left = left[file.write(left) :]


def _written_beside(path: Path, data: bytes) -> str:
    import tempfile  # here: reading does not need it, and it takes as long to import as all of this package

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


@contextmanager
def open_beside(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that replaces the one at this path when all is written, and is deleted after a failure."""
    import tempfile

    place = Path(os.path.realpath(path))
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:40]}.")
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(temporary, _mode(place))
        os.replace(temporary, place)
        temporary = None
    except IsADirectoryError:
        raise FormatError("is a folder; give the name of a file in it", str(path)) from None
    except OSError as error:
        raise _fail("cannot be written", error, str(path)) from None
    finally:
        if temporary is not None:
            os.unlink(temporary)


def _mode(path: Path) -> int:
    """The old file's permissions, else those of any new file: mkstemp's own are for secrets."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
