"""What the command line writes to, and in which characters: nothing is destroyed, nothing is garbled."""

from __future__ import annotations

import io
import json
import os
import shlex
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from qontrast import FormatError, Qbaf, examples, read, write
from qontrast.cli import output
from qontrast.cli.main import BAD_FILE, DONE, EXIT_CODES, main
from qontrast.formats import disk
from qontrast.formats.disk import write_files
from tests.support.paths import ROOT

GRAPH = '{"arguments": {"a": {"initial_weight": 0.5, "argument": "Müller ≥ 斑馬"}, "b": 0.25, "x": 0.8}, \
"attacks": [["x", "b"]], "supports": [["x", "a"]], "topics": ["a", "b"]}'
POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and pipes have names on POSIX systems only")


def process(line: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell in which `qontrast` is this one."""
    words = f'qontrast() {{ {shlex.quote(sys.executable)} -m qontrast "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", words], cwd=cwd, env=os.environ | env, capture_output=True, check=False
    )


# -- files and devices ---------------------------------------------------------------------------------------


@POSIX
def test_a_device_is_written_into_and_stays_a_device():
    before = os.stat(os.devnull)
    write_files({Path(os.devnull): b"text"})
    assert (os.stat(os.devnull).st_rdev, stat.S_ISCHR(os.stat(os.devnull).st_mode)) == (before.st_rdev, True)


@POSIX
def test_a_named_pipe_is_written_into_and_stays_a_pipe(qontrast, tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert qontrast("draw examples:zebra -o pipe").code == 0
    reader.join()
    assert got[0].startswith(b"<svg")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@POSIX
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    link, target = tmp_path / "link.json", tmp_path / "folder" / "target.json"
    link.symlink_to("folder/target.json")
    for _ in range(2):  # the target is made, then replaced
        write(examples.load("zebra"), link)
        assert link.is_symlink()
        assert read(target) == examples.load("zebra")
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["folder", "link.json", "target.json"]


def test_a_folder_is_refused_with_the_way_out(qontrast, tmp_path):
    (tmp_path / "folder").mkdir()
    for line in ("report examples:zebra --no-flip -o folder", "convert examples:zebra folder --write-as json"):
        ran = qontrast(line)
        assert (ran.code, ran.err) == (3, "qontrast: folder: is a folder; give the name of a file in it\n")
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("step", ["write", "replace"])
def test_a_failing_write_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, step):
    place = tmp_path / "old.json"
    place.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk.os, "fsync" if step == "write" else "replace", fail)
    with pytest.raises(FormatError, match=r"old\.json: cannot be written: No space left on device"):
        write_files({place: "new"})
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]


@POSIX
def test_dev_stdout_is_standard_output_even_where_it_is_appended_to_a_file(tmp_path):
    (tmp_path / "log").write_text("before\n")
    ran = process("qontrast convert examples:zebra /dev/stdout --write-as json >> log", tmp_path)
    assert ran.returncode == 0, ran.stderr
    text = (tmp_path / "log").read_text()
    assert text.startswith("before\n")
    assert json.loads(text.removeprefix("before\n"))["topics"] == ["zebra", "horse", "tiger"]
    piped = process("qontrast draw examples:zebra -o /dev/stdout | cat", tmp_path)
    assert piped.stdout.startswith(b"<svg")


@POSIX
def test_an_open_descriptor_is_written_at_its_place(tmp_path):
    with (tmp_path / "log").open("w+b") as file:
        file.write(b"before\n")
        file.flush()
        write_files({Path(f"/dev/fd/{file.fileno()}"): b"after\n"})
    assert (tmp_path / "log").read_bytes() == b"before\nafter\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "line",
    [
        "strengths examples:zebra > /dev/full",
        "strengths examples:zebra --json > /dev/full",
        "convert examples:zebra - --write-as json > /dev/full",
        "--help > /dev/full",
        "draw examples:zebra -o /dev/full",
    ],
)
def test_a_full_disk_is_a_plain_message(tmp_path, line):
    ran = process(f"qontrast {line}", tmp_path)
    place = "/dev/full" if "-o" in line else "standard output"
    assert ran.stderr.decode() == f"qontrast: {place}: cannot be written: No space left on device\n"
    assert ran.returncode == BAD_FILE
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@POSIX
def test_a_closed_standard_output_is_a_plain_message_where_it_is_needed(tmp_path):
    ran = process("qontrast strengths examples:zebra >&-", tmp_path)
    assert (ran.returncode, ran.stderr.decode()) == (
        BAD_FILE,
        "qontrast: standard output: cannot be written: it is closed\n",
    )
    ran = process("qontrast convert examples:zebra zebra.json >&- 2>&-", tmp_path)
    assert ran.returncode == DONE
    assert read(tmp_path / "zebra.json") == examples.load("zebra")


class Unread(io.StringIO):
    """A pipe whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    def fileno(self) -> int:
        return self.descriptor

    descriptor = -1


@pytest.mark.parametrize(
    "line", ["why examples:zebra", "why examples:zebra --json", "examples zebra", "--help", "why -h"]
)
def test_a_reader_that_stops_reading_always_gives_the_documented_code(monkeypatch, capsys, line):
    with monkeypatch.context() as patch, open(os.devnull, "wb") as nothing:
        patch.setattr(Unread, "descriptor", nothing.fileno())
        patch.setattr(sys, "stdout", Unread())
        assert main(line.split()) == DONE
    assert capsys.readouterr().err == ""


@POSIX
def test_head_ends_a_command_without_a_complaint(tmp_path):
    write(Qbaf({f"argument {k}": 0.5 for k in range(20_000)}), tmp_path / "many.json")  # more than a pipe holds
    ran = process("qontrast strengths many.json --json | head -c 1", tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (DONE, b"{", b"")


# -- characters ----------------------------------------------------------------------------------------------


def printed(line: str, encoding: str, monkeypatch: pytest.MonkeyPatch, stdin: str = GRAPH) -> bytes:
    """What a command prints, as bytes, to a standard output with this encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        patch.setenv("COLUMNS", "80")
        assert main(shlex.split(line)) == DONE
    out.flush()
    return out.buffer.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16", "cp437"])
@pytest.mark.parametrize(
    "line",
    [
        "convert - - --write-as json",
        "convert - - --write-as bag",
        "why - --json",
        "check - --json",
        "draw - -o -",
        "report - -o - --no-flip",
        "examples zebra",
    ],
)
def test_data_on_standard_output_is_utf_8_whatever_the_terminal_has(monkeypatch, line, encoding):
    got = printed(line, encoding, monkeypatch)
    assert got == printed(line, "utf-8", monkeypatch)
    if line.startswith(("convert - - --write-as json", "draw", "report")):
        assert "Müller ≥ 斑馬" in got.decode() or "Müller" in got.decode()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
@pytest.mark.parametrize("line", ["why -", "pairs -", "rank -", "strengths -", "whatif - --set x=0.1", "paths - x b"])
def test_text_has_plain_equivalents_and_never_a_question_mark(monkeypatch, line, encoding):
    full = printed(line, "utf-8", monkeypatch).decode()
    got = printed(line, encoding, monkeypatch).decode(encoding)
    assert got.count("?") == full.count("?")
    assert "-" in got if "−" in full else True
    if "Müller" in full:
        assert ">= \\u6591\\u99ac" in got or "\\u6591" in got
        assert ("Müller" if encoding != "ascii" else "Muller") in got


def test_every_character_of_our_own_sentences_has_a_plain_equivalent():
    source = Path(main.__code__.co_filename).parents[1]
    used = {char for path in source.rglob("*.py") for char in path.read_text(encoding="utf-8") if ord(char) > 126}
    words = set("−–—→≥≤≠“”‘’…·×±█░│◂▸⁻⁰⁴⁵⁶⁷⁸⁹φΦστ⪰")
    for char in words & used | words:
        text = char.encode("ascii", errors="qontrast-plain").decode()
        assert "\\" not in text, char
        assert "?" not in text, char


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "cp437", "utf-8"])
@pytest.mark.parametrize("power", [6, 7, 9, 10, 11, 12, 13, 20, 21, 102, 123, 230])
def test_an_exponent_is_written_in_raised_digits_or_in_plain_ones_but_never_in_both(encoding, power):
    from qontrast.show.numbers import number

    full = f"({number(-3.4 * 10.0**-power)}) m"
    got = full.encode(encoding, errors="qontrast-plain").decode(encoding)
    assert got.endswith(f"10^-{power}) m") if encoding != "utf-8" else got == full


HOSTILE = "a\x1b[31mred\x07\u202eb\r\nc\x9b2J"


@pytest.mark.parametrize(
    "line",
    [
        "why - t u",
        "strengths -",
        "pairs -",
        "rank -",
        "paths - x t",
        "whatif - --remove x",
        "whatif - --set x=0",
        "flip -",
        "check -",
        "axioms - --method removal",
        "why - t nobody",
        "strengths nowhere\x1b[31m.json",
        "why - --set \x1b[31m=2",
        "why - --method \x1b[31m",
        "\x1b[31m",
        "draw - -o \x1b[31m.gif",
        "why - --\x1b[31m",
    ],
)
def test_no_control_character_of_a_name_or_label_reaches_the_terminal(qontrast, line):
    names = {"t": HOSTILE + "t", "u": HOSTILE + "u", "x": HOSTILE + "x"}
    graph = {
        "arguments": {
            "t": {"initial_weight": 0.5, "argument": names["t"]},
            "u": {"initial_weight": 0.4, "argument": names["u"]},
            "x": {"initial_weight": 0.7, "argument": names["x"]},
            HOSTILE: 0.25,
        },
        "attacks": [["x", "u"], [HOSTILE, "t"]],
        "supports": [["x", "t"]],
        "topics": ["t", "u"],
    }
    ran = qontrast(shlex.join(line.split(" ")), json.dumps(graph))
    assert not [char for char in (ran.out + ran.err).replace("\n", "") if not char.isprintable()]
    assert ran.out or ran.err


# -- exit codes ----------------------------------------------------------------------------------------------


def test_the_exit_codes_are_in_the_help_and_in_the_documents(qontrast):
    said = " ".join(qontrast("--help").out.split())
    page = (ROOT / "docs" / "cli-intro.md").read_text(encoding="utf-8")
    for code, meaning in EXIT_CODES.items():
        assert f"{code}: {meaning}" in said
        assert f"| {code} | {meaning}" in page
    from qontrast.cli import main as cli

    names = ("DONE", "UNEXPECTED", "USAGE", "BAD_FILE", "UNDEFINED", "BAD_GRAPHS", "INTERRUPTED")
    constants = {getattr(cli, name) for name in names}
    assert constants == set(EXIT_CODES) >= set(cli.ERROR_CODES.values())


def test_where_standard_error_is_closed_messages_go_nowhere_and_nothing_fails(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    output.prepare_streams()
    assert sys.stderr.writable()
    output.print_note("“nobody” reads this −")
    sys.stderr.close()
