"""Ten thousand broken files: each is read right or refused with one of our errors."""

from __future__ import annotations

import contextlib
import random
import warnings

import pytest

from qontrast import FORMATS, FormatWarning, Qbaf, QontrastError, examples, read
from qontrast.formats import read_text, write_text
from qontrast.formats.disk import decode
from tests.support.profiles import number_of_cases

FILES = number_of_cases(10_000, 3_000)
SEED = 20240229
SPLICES = [
    *(b'"', b"{", b"}", b"[", b"]", b"(", b")", b",", b".", b"#", b"\n", b"\r", b"\t", b" ", b"\\", b"<", b">", b"&"),
    *(b"\xff", b"\xef\xbb\xbf", b"\0", b"nan", b"NaN", b"-Infinity", b"1e999", b"-1", b"9" * 5000, b"0.5", b"\\ud800"),
    *(
        b"att(",
        b"p af 99999999",
        b"-> See 1.1.",
        b"1.1. Pro: ",
        b"<!DOCTYPE a>",
        b"&lol;",
        b"[" * 3000,
        b'"":',
        b"null",
    ),
    *(b'"arguments":', b'"topics":', b"true", b"\xe2\x80\xa8", b"%", b";", b"arg(a).", b"\x1b", b"_1", b"\xd9\xa3"),
]


def seeds() -> dict[str, list[bytes]]:
    """Valid files of every format."""
    graphs = [examples.load(name) for name in ("zebra", "healthcare", "loan", "claim", "undefined")]
    graphs.append(Qbaf({"1": 0.5, "2": 0.25}, attacks={("2", "1"): 0.5}, topics=["1"], labels={"2": 'a "b", (c)\n[d]'}))
    found: dict[str, list[bytes]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        for format in FORMATS:
            for graph in graphs:
                if format == "iccma":
                    graph = Qbaf(graph.base_scores, graph.attacks)  # type: ignore[arg-type]
                try:
                    found.setdefault(format, []).append(write_text(graph, format).encode())
                except QontrastError:
                    assert len(graph) in (2, 12)  # the names or labels of these two are too much for some formats
    return found


def mutated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    near = min(len(data), at + rng.randrange(1, 12))
    match rng.randrange(9):
        case 0:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[near:]
        case 2:
            return data[:to] + data[at:to] + data[to:]
        case 3:
            return data[:at]
        case 4:
            other = rng.choice(others)
            return data[:at] + other[rng.randrange(len(other)) :]
        case 5:
            return data[:at] + rng.choice(SPLICES) + data[at:]
        case 6:
            return data[:at] + rng.choice(SPLICES) + data[near:]
        case 7:
            digits = [place for place, byte in enumerate(data) if 48 <= byte <= 57] or [0]
            place = rng.choice(digits)
            return data[:place] + rng.choice([b"2", b"-1", b"1e400", b"0", b"x", b"7.5"]) + data[place + 1 :]
        case _:
            rows = data.split(b"\n")
            i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
            rows[i], rows[j] = rows[j], rows[i] if rng.random() < 0.5 else rows[j]
            return b"\n".join(rows)


@pytest.mark.parametrize("format", FORMATS)
def test_a_broken_file_is_read_right_or_refused(format: str) -> None:
    rng = random.Random(f"{SEED} {format}")
    valid = seeds()
    everything = [data for each in valid.values() for data in each]
    accepted = refused = 0
    count = FILES // len(FORMATS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        for place in range(count):
            data = rng.choice(valid[format])
            for _ in range(rng.choice((1, 1, 2, 4))):
                data = mutated(data, everything, rng) or b"#"
            try:
                # every third file has no suffix to go by: the text decides
                qbaf = read_text(decode(data, "fuzz"), None if place % 3 == 0 else format, name="fuzz")
            except QontrastError:
                refused += 1
            else:
                accepted += 1
                assert read_text(write_text(qbaf, "json"), "json") == qbaf
    assert accepted > 0.018 * count  # the mutations are not all fatal
    assert refused > 0.18 * count


@pytest.mark.parametrize(
    "piece", ["\n", " ", "#\n", "1. a\n", "[", "(", "% a\n", '"arguments"', "arg(", "<graphml ", "-1,"]
)
@pytest.mark.heavy
def test_every_reader_gets_to_the_end_of_a_large_text(piece: str) -> None:
    """Work that grows with the square of the text would take an hour here; pytest's faulthandler ends such a test."""
    text = "1. a\n" + piece * 150_000
    for format in FORMATS.values():
        format.recognise(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FormatWarning)
            with contextlib.suppress(QontrastError):
                format.parse(text)


def test_a_long_number_or_a_deep_nest_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for text, said in (
        ('{"arguments": {"a": ' + "9" * 10_000 + "}}", ""),
        ("[" * 200_000, "the JSON is nested too deeply"),
        ('{"arguments":' * 100_000, "the JSON is nested too deeply"),
    ):
        path = tmp_path / "deep.json"
        path.write_text(text)
        with pytest.raises(QontrastError, match=rf"deep\.json.*{said}"):
            read(path)
