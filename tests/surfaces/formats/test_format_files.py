"""Files on the disk: chosen by suffix, then by their text; written whole or not at all."""

from __future__ import annotations

import os
import pickle
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import qontrast as qx
from qontrast import FormatError, FormatWarning, Qbaf, TooLarge, UnknownName, convert, read, read_many, write
from qontrast.formats import FORMATS, Format, disk

ZEBRA = qx.examples.load("zebra")
PLAIN = Qbaf({"a": 0.25, "b": 1.0}, attacks=[("b", "a")])


@pytest.mark.parametrize("suffix", ["json", "csv", "graphml", "xml", "bag"])
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    write(PLAIN, tmp_path / f"hotel.{suffix}")
    assert read(tmp_path / f"hotel.{suffix}") == PLAIN
    assert read(str(tmp_path / f"hotel.{suffix}")) == PLAIN


def test_without_a_telling_suffix_the_text_chooses(tmp_path: Path) -> None:
    for format in ("json", "node-link", "graphml", "bag", "csv"):
        for name in ("hotel", "hotel.txt", "hotel.data"):
            write(PLAIN, tmp_path / name, format=format)
            assert read(tmp_path / name) == PLAIN


def test_a_format_given_by_name_overrides_the_suffix(tmp_path: Path) -> None:
    write(PLAIN, tmp_path / "hotel.json", format="bag")
    assert (tmp_path / "hotel.json").read_text(encoding="utf-8").startswith("arg(a, 0.25).")
    assert read(tmp_path / "hotel.json", format="bag") == PLAIN


def test_an_unknown_format_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=f"no format 'graphlm' among the {len(FORMATS)} here; did you mean 'graphml'"):
        write(PLAIN, tmp_path / "a", format="graphlm")
    with pytest.raises(FormatError, match=r"hotel\.xyz: no format has the suffix '\.xyz'; give format= one of json,"):
        write(PLAIN, tmp_path / "hotel.xyz")


def test_convert_reads_one_and_writes_the_other(tmp_path: Path) -> None:
    write(PLAIN, tmp_path / "hotel.bag")
    assert convert(tmp_path / "hotel.bag", tmp_path / "hotel.json") == PLAIN
    assert read(tmp_path / "hotel.json") == PLAIN


def test_warnings_name_the_file_and_point_at_the_caller(tmp_path: Path) -> None:
    (tmp_path / "hotel.apx").write_text("arg(a).")
    with pytest.warns(FormatWarning) as caught:
        read(tmp_path / "hotel.apx")
    assert str(caught[0].message) == f"{tmp_path}/hotel.apx: 1 argument without a base score: 0.5 is used"
    assert caught[0].filename == __file__
    with pytest.warns(FormatWarning, match=r"hotel\.bag: bag cannot hold labels, topics, semantics; these are lost"):
        write(ZEBRA, tmp_path / "hotel.bag")


def test_an_error_names_file_and_line_and_survives_pickling(tmp_path: Path) -> None:
    path = tmp_path / "hotel.bag"
    path.write_text("arg(a, 1).\nsup(P1, A1")
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:2: 'sup(P1, A1' lacks a closing parenthesis"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.file, again.line) == (str(caught.value), str(path), 2)


# -- what cannot be read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"arg(a, 1).\n\xff\xfe", "hotel.bag:2: is not UTF-8 text: this line has the byte 0xff"),
        ("arg(a, 1).".encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (b"arg(a, 1).\n\n\0\n\0", "hotel.bag:3: is binary, not text: this line has a NUL"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "hotel.bag").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read(tmp_path / "hotel.bag")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "hotel.bag").write_bytes(b"\xef\xbb\xbfarg(a, 0.25).\r\narg(b, 1).\r\natt(b, a).\r\n")
    assert read(tmp_path / "hotel.bag") == PLAIN


def test_a_missing_file_is_an_error_that_suggests_the_nearest(tmp_path: Path) -> None:
    write(PLAIN, tmp_path / "hotel.bag")
    with pytest.raises(FormatError, match=r"hotle\.bag: no such file; did you mean 'hotel\.bag'\?"):
        read(tmp_path / "hotle.bag")
    with pytest.raises(FormatError, match=r"the folder .*nowhere' does not exist either"):
        read(tmp_path / "nowhere" / "hotel.bag")


def test_folders_and_impossible_paths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is a folder; give a file"):
        read(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        read("a\0b.bag")
    with pytest.raises(FormatError, match="cannot be read"):
        read("a" * 5000)


def test_a_text_that_no_format_recognises_is_refused(tmp_path: Path) -> None:
    (tmp_path / "poem").write_text("Shall I compare thee to a summer's day?")
    with pytest.raises(FormatError, match="poem: its format is not recognised; give format= one of json, aif"):
        read(tmp_path / "poem")


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_BYTES", 10)
    (tmp_path / "a.bag").write_text("arg(a, 1).\n")
    with pytest.raises(TooLarge, match="over the limit of 10 bytes"):
        read(tmp_path / "a.bag")


# -- many graphs, two tables ---------------------------------------------------------------------------------


def test_one_graph_of_a_results_file_is_picked_by_its_address(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text('{"arguments": {}, "data": [{"base": {"bag": {"arguments": {"a": 1}}}, "valid": false}]}')
    assert read(f"{path}#0/base") == Qbaf({"a": 1.0})
    assert read_many(path) == {"0/base": Qbaf({"a": 1.0})}
    with pytest.raises(FormatError, match="no graph '3/base' among the 1 here; did you mean '0/base'"):
        read(f"{path}#3/base")
    with pytest.raises(FormatError, match=r"many graphs, not one.*; read_many reads them all"):
        read(path)


def test_read_many_of_a_file_with_one_graph_gives_it(tmp_path: Path) -> None:
    for name in ("hotel.json", "hotel.bag"):
        write(PLAIN, tmp_path / name)
        assert read_many(tmp_path / name) == {"": PLAIN}


def test_a_name_with_a_hash_is_a_name_if_it_is_there(tmp_path: Path) -> None:
    write(PLAIN, tmp_path / "hotel#1.json")
    assert read(tmp_path / "hotel#1.json") == PLAIN


def test_two_csv_files_are_read_and_written_together(tmp_path: Path) -> None:
    loan = Qbaf({"a": 0.25, "b": 1.0}, {("b", "a"): 0.5}, labels={"a": "A, said"}, topics=["b"])
    write(loan, tmp_path / "hotel-arguments.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hotel-arguments.csv", "hotel-relations.csv"]
    assert read(tmp_path / "hotel-arguments.csv") == read(tmp_path / "hotel-relations.csv") == loan


OTHERS = {  # what stands in the files of arguments and relations before something is written
    "no graph": (None, "name,mother\na,b\n"),
    "relations of a graph without arguments": (None, "source,target,relation\na,b,att\n"),
    "relations of other arguments": ("id\na\n", "source,target,relation\nc,d,att\n"),
    "relations beside an empty file": ("", "source,target,relation\na,b,att\n"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_csv_file_that_nobody_named_is_overwritten_only_by_force(case: str, tmp_path: Path) -> None:
    arguments, relations = tmp_path / "arguments.csv", tmp_path / "relations.csv"
    for path, text in zip((arguments, relations), OTHERS[case], strict=True):
        if text is not None:
            path.write_text(text)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    message = f"{relations}: exists, and would be overwritten together with {arguments}; ask for force=True to"
    with pytest.raises(FormatError, match=re.escape(message)):
        write(PLAIN, arguments)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    write(PLAIN, arguments, force=True)
    assert read(relations) == PLAIN


@pytest.mark.parametrize("named", ["arguments.csv", "relations.csv"])
def test_two_csv_files_of_one_graph_are_replaced_by_those_of_another(named: str, tmp_path: Path) -> None:
    write(Qbaf({"x": 0.5, "y": 0.1}, [("x", "y")]), tmp_path / named)
    write(PLAIN, tmp_path / named)
    assert read(tmp_path / "arguments.csv") == PLAIN


def test_an_error_in_the_second_csv_file_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "arguments.csv").write_text("id,base_score\na,0.5\n")
    (tmp_path / "relations.csv").write_text("source,target,relation\na,b,att\n")
    with pytest.raises(FormatError, match=r"relations\.csv:2: the attack from 'a' to 'b' ends nowhere"):
        read(tmp_path / "arguments.csv")


# -- a failed write leaves the old file -------------------------------------------------------------------------


def test_a_graph_that_cannot_be_rendered_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "hotel.bag"
    write(PLAIN, path)
    with pytest.raises(FormatError, match=r"hotel\.bag: bag cannot hold the 1 name 'a b'"):
        write(Qbaf({"a b": 0.5}), path)
    assert read(path) == PLAIN


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_write_that_fails_half_way_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "hotel.json"
    write(PLAIN, path)
    with monkeypatch.context() as patch:
        patch.setattr(os, step, full)
        with pytest.raises(FormatError, match=r"hotel\.json: cannot be written: No space left on device"):
            write(ZEBRA, path)
    assert read(path) == PLAIN
    assert [each.name for each in tmp_path.iterdir()] == ["hotel.json"]


def test_half_a_surrogate_pair_is_refused_before_the_file_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "hotel.json"
    write(PLAIN, path)
    with pytest.raises(FormatError, match="half a surrogate pair"):
        write(Qbaf({"\ud800": 0.5}), path)
    assert read(path) == PLAIN


def test_writing_into_a_missing_folder_is_our_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be written: No such file or directory"):
        write(PLAIN, tmp_path / "nowhere" / "hotel.json")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    path = tmp_path / "hotel.json"
    path.touch(mode=0o640)
    path.chmod(0o640)
    write(PLAIN, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    (tmp_path / "plain").touch()
    write(PLAIN, tmp_path / "new.json")
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
def test_a_link_is_written_through_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").touch()
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write(PLAIN, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert read(tmp_path / "real.json") == PLAIN


# -- the table ------------------------------------------------------------------------------------------------


def test_every_format_says_what_it_is() -> None:
    assert all(name == each.name and each.suffixes and each.description for name, each in FORMATS.items())


def test_a_users_own_format_is_one_more_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = Format("names", (".names",), "one name", lambda text: Qbaf({text: 1.0}), lambda q: q.arguments[0], bool)
    monkeypatch.setitem(FORMATS, "names", names)
    write(Qbaf({"a": 1.0}), tmp_path / "a.names")
    assert read(tmp_path / "a.names") == Qbaf({"a": 1.0})


def test_importing_qontrast_loads_no_xml_and_no_networkx() -> None:
    code = "import sys, qontrast; print([m for m in ('xml.etree', 'networkx', 'pandas') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
