"""Run every code block of every document, compare every printed output, and check what the documents claim."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import warnings
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import qontrast as qx
from qontrast.cli.main import COMMANDS, load_command, main
from qontrast.extras import EXTRAS
from qontrast.show.figures import FIGURES
from qontrast.show.presentation import PRESENTATIONS
from qontrast.web.agents import TOOLS, find_words
from qontrast.web.answers import answer
from tests.support.paths import ROOT

sys.path.append(str(ROOT / "docs"))
import debates
import pictures

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^!\[[^\]]*\]\(pictures/([\w-]+)\.svg\)$", re.MULTILINE)
FOR_DEVELOPERS = {"bench", "docs", "test", "heavy", "mutants"}
DIRECTIVES = {"{toctree}", "{eval-rst}"}  # checked by Sphinx, which builds the documents with warnings as errors

# public data that a document reads; everything else a document writes itself before it reads it
FILES = {"debates.md": debates.make_tables()}
HEAVY_PAGES = {"gallery.md", "debates.md", "data-scientists.md"}  # slow, slow, and in need of shap
# functions that the gallery calls by the method plot() of the result
DRAWN_BY_PLOT = {
    *("plot_attribution", "plot_change", "plot_contrast", "plot_history", "plot_interactions", "plot_pairs"),
    *("plot_ranking", "plot_semantics", "plot_trajectory", "plot_uncertainty"),
}
# files that a document writes, and how they begin
WRITTEN = {
    "README.md": {"why.html": "<!DOCTYPE html>", "out/why.html": "<!DOCTYPE html>"},
    "tutorial.md": {"drinks.json": "{"},
}


def blocks(document: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a document, as (language, text)."""
    found = BLOCK.findall(document.read_text(encoding="utf-8"))
    assert len(found) * 2 == len(re.findall(r"^```", document.read_text(encoding="utf-8"), re.MULTILINE))
    return found


def parts(document: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a document, and its drawn pictures as ("picture", name), in their order."""
    text, drawn = document.read_text(encoding="utf-8"), document.name in pictures.PAGES
    found = [(each.start(), (each[1], each[2])) for each in BLOCK.finditer(text)]
    found += [(each.start(), ("picture", each[1])) for each in PICTURE.finditer(text) if drawn]
    return [part for _, part in sorted(found)]


def words_of_picture(svg: str) -> list[str]:
    """The words of an SVG picture in alphabetical order: neither wrapping nor place matters."""
    texts = re.findall(r"<text\b[^>]*>(.*?)</text>", svg, re.DOTALL)
    return sorted(" ".join(re.sub(r"<[^>]*>", " ", each) for each in texts).split())


@dataclass
class Reader:
    """A reader who runs the blocks of one document in order, in one folder and one Python session."""

    capsys: Any
    monkeypatch: Any
    space: dict[str, Any] = field(default_factory=dict)
    printed: str = ""
    json: str = ""  # the last block of JSON
    drawn: str = ""  # the name to which the last block assigned

    def read(self, document: Path) -> None:
        blocks(document)
        for language, text in parts(document):
            if language in DIRECTIVES:
                continue
            run = getattr(self, f"run_{language}", None)
            assert run is not None, f"{document.name}: nothing runs or compares blocks of {language!r}:\n{text}"
            run(text)
        assert self.printed == "", f"{document.name} does not show what its last block prints:\n{self.printed}"

    def run_python(self, code: str) -> None:
        assert self.printed == "", f"the document does not show this output:\n{self.printed}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", qx.FormatWarning)
            warnings.simplefilter("ignore", PendingDeprecationWarning)  # of matplotlib, where shap is imported
            exec(code, self.space)
        self.printed = self.capsys.readouterr().out
        self.drawn = pictures.find_name("python", code)

    def run_text(self, text: str) -> None:
        assert self.printed == text
        self.printed = ""

    def run_pycon(self, text: str) -> None:
        test = doctest.DocTestParser().get_doctest(text, self.space, "document", None, 0)
        assert test.examples, f"no example in this block:\n{text}"
        said: list[str] = []
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test, out=said.append, clear_globs=False)
        self.space |= test.globs  # the parser has copied the names
        assert runner.failures == 0, "".join(said)
        self.drawn = pictures.find_name("pycon", text)

    def run_picture(self, name: str) -> None:
        """The file has the words and numbers of the picture that the block before it draws."""
        assert self.drawn, f"pictures/{name}.svg: the block before it does not end with an assignment"
        drawn = self.space[self.drawn]
        own = isinstance(drawn, str)
        if not own and not os.environ.get("QONTRAST_HEAVY"):
            return  # matplotlib takes its time
        said = words_of_picture(pictures.write_svg(drawn))
        for file in (f"{name}.svg", f"{name}-dark.svg"):
            kept = words_of_picture((ROOT / "docs" / "pictures" / file).read_text(encoding="utf-8"))
            alike = SequenceMatcher(None, kept, said, autojunk=False).ratio()
            # another version of matplotlib may put other numbers along an axis
            assert alike == 1 if own else alike > 0.85, f"{file} is out of date; run: python docs/pictures.py"

    def run_json(self, text: str) -> None:
        """A graph, or a question to the server that has one."""
        self.json = text
        data = json.loads(text)
        assert len(qx.read_text(json.dumps(data.get("graph", data)), format="json")) > 0

    def run_mcp(self, text: str) -> None:
        """Calls of tools, each with the sentence that it gets; a worker answers them as the server would."""
        for call in text.strip().split("\n\n"):
            line, _, expected = call.partition("\n")
            name, _, given = line.partition(" ")
            asked = json.loads(given)
            asked["graph"] = json.loads(qx.write_text(qx.read(asked.pop("file"))))
            status, _, body = answer(TOOLS[name].question, json.dumps(asked | TOOLS[name].sends).encode())
            assert (status, find_words(json.loads(body))) == (200, " ".join(expected.split("\n")))

    def run_sh(self, text: str) -> None:
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                check_shell(words)
                for command in [words[1:]] if words[0] == "qontrast" else list_recipe(words):
                    assert main(command) == 0, self.capsys.readouterr().err
        self.capsys.readouterr()

    def run_console(self, text: str) -> None:
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            self.run_command(shlex.split(command), expected)

    def run_command(self, words: list[str], expected: str) -> None:
        check_shell(words)
        if words[0] == "curl":
            found = answer_of_the_server(words, self.json)
        elif words[:2] == ["qontrast", "explore"]:
            found = self.start_the_explorer(words)
        else:
            assert main(words[1:]) == 0
            found = re.sub(r" +$", "", "".join(self.capsys.readouterr()), flags=re.MULTILINE)  # of wrapped lines
        start, dots, _ = expected.partition("…")
        assert found[: len(start)] == start if dots else found == expected

    def start_the_explorer(self, words: list[str]) -> str:
        """What the command says when it starts, on a free port that is written as the document's."""
        import uvicorn

        self.monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
        port = words[words.index("--port") + 1]
        assert main([word if word != port else "0" for word in words[1:]]) == 0
        return re.sub(r":\d+/", f":{port}/", "".join(self.capsys.readouterr()))


def list_recipe(words: list[str]) -> list[list[str]]:
    """List our commands in the recipe of `make demo`; those of other targets take minutes, or install something."""
    if words != ["make", "demo"]:
        return []
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert recipe
    Path("out").mkdir(exist_ok=True)
    return [shlex.split(line)[1:] for line in recipe[1].splitlines() if line.startswith("\t$(BIN)/qontrast ")]


def check_shell(words: list[str]) -> None:
    """Check that what a command names exists; those that are not ours install something, or take minutes."""
    program, *rest = words
    if program == "make":
        targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        asked = {word for word in rest if "=" not in word}  # the others set variables
        assert asked <= set(targets), f"the Makefile has no {rest}"
    elif program == "pip":
        extras = re.fullmatch(r"\.\[([\w,]+)\]", rest[-1])
        assert rest[0] == "install"
        assert extras, f"{rest[-1]}: the package is on no index, so documents install it from its folder"
        assert set(extras[1].split(",")) <= set(PROJECT["optional-dependencies"])
    elif program == "qontrast" and not rest[0].startswith("-"):
        assert rest[0] in COMMANDS
        options = {name for each in load_command(rest[0]).params for name in (*each.opts, *each.secondary_opts)}
        assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= options, words
    elif program == "python" and rest[0] == "-m":
        assert find_spec(rest[1]), rest[1]
    elif program == "python":
        assert (ROOT / rest[0]).is_file(), rest[0]
    else:
        assert program in {"qontrast", "git", "cd", "python3", "source", "curl"}, f"unknown command {program}"


def answer_of_the_server(words: list[str], question: str) -> str:
    """What the explorer's server answers to a curl command that sends this question from a file."""
    pytest.importorskip("starlette", reason="the explorer needs the extra web")
    import httpx

    from qontrast.web import app

    address = next(word for word in words if word.startswith("http://"))
    headers = dict([words[words.index("-H") + 1].split(": ")])
    made = app()

    async def ask() -> httpx.Response:
        async with made.router.lifespan_context(made), httpx.AsyncClient(transport=httpx.ASGITransport(made)) as client:
            return await client.post(address, headers=headers, content=question)

    answer = asyncio.run(ask())
    assert answer.status_code == 200, answer.text
    return answer.text


def list_packages(document: Path) -> set[str]:
    """List the optional packages that a reader has who installs what the document says."""
    named = re.findall(r"'\.\[([\w,]+)\]'", document.read_text(encoding="utf-8"))
    extras = {"cli", *(extra for each in named for extra in each.split(","))}
    for requirement in [each for extra in extras for each in PROJECT["optional-dependencies"][extra]]:
        if requirement.startswith("qontrast["):
            extras |= set(requirement[9:-1].split(","))
    if "shap" in extras:
        extras |= {"frames", "networks"}  # which it needs itself
    return {package for package, extra in EXTRAS.items() if extra in extras}


@dataclass
class Hiding:
    """A finder of modules that finds what another one does, but for these packages."""

    finder: Any
    names: set[str]

    def find_spec(self, name: str, *more: Any) -> Any:
        return None if name in self.names else self.finder.find_spec(name, *more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.finder, name)


def hide_packages(names: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let packages look as if they were not installed."""
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Hiding(finder, names) for finder in sys.meta_path])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_that_a_text_names_exists_with_its_options(document):
    for span in re.findall(
        r"`((?:qontrast|make|pip|python) [^`]+)`", BLOCK.sub("", document.read_text(encoding="utf-8"))
    ):
        check_shell(shlex.split(span))


@pytest.mark.parametrize(
    "document",
    [pytest.param(each, marks=pytest.mark.heavy) if each.name in HEAVY_PAGES else each for each in DOCUMENTS],
    ids=lambda path: path.name,
)
def test_every_block_of_a_document_runs_and_prints_what_the_document_shows(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    hide_packages(EXTRAS.keys() - list_packages(document), monkeypatch)
    for name, text in FILES.get(document.name, {}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    Reader(capsys, monkeypatch).read(document)
    for name, start in WRITTEN.get(document.name, {}).items():
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


@pytest.mark.heavy
def test_the_documents_build_without_warnings(tmp_path):
    for module in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(module, reason="building the documents needs the extra docs")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-E", "-b", "html", str(ROOT / "docs"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "choosing.html").exists()
    check_built_links(tmp_path)


def test_the_tables_of_the_debates_have_as_many_motions_key_points_and_matches_as_the_chapter_says(tmp_path):
    debates.write_tables(tmp_path)
    graphs = qx.read_many(tmp_path / "kpm_data")
    points = [name for graph in graphs.values() for name in graph if str(name).startswith("kp_")]
    matches = sum(weight == 0.1 for graph in graphs.values() for weight in graph.supports.values())
    page = " ".join((ROOT / "docs" / "debates.md").read_text(encoding="utf-8").split())
    assert f"for and against {len(graphs)} motions" in page
    assert f"{len(points)} key points and {matches:,} matches" in page


def test_the_command_for_the_debates_says_where_the_data_are(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert debates.main(["nowhere"]) == 3
    assert f"nowhere: no such folder; get kpm_data of {debates.SOURCE}" in capsys.readouterr().err


@pytest.mark.heavy
def test_the_command_for_the_debates_writes_a_table_reports_and_pictures(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert debates.main(["-o", "pages"]) == 0
    said = capsys.readouterr().out
    assert "make debates DATA=" in said
    assert "Open " in said
    written = sorted(path.name for path in (tmp_path / "pages").iterdir() if path.is_file())
    pages = [f"{name}.{kind}" for name in ("cannabis", "capital-punishment") for kind in ("html", "svg")]
    assert written == sorted([*pages, "debates.html"])


def test_the_gallery_has_every_figure_with_its_code_and_picture():
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for name in FIGURES:
        section = re.search(rf"^## [^\n]+\n\n`{name}`: (.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
        assert section, f"gallery.md has no section that begins with `{name}`:"
        assert f"(pictures/{name}.svg)" in section[1]
        assert "```python" in section[1]
        assert "qontrast draw" in section[1]
    for each in PRESENTATIONS.values():
        assert not each.plot or each.plot in page or each.plot in DRAWN_BY_PLOT, f"gallery.md does not draw {each.plot}"


def test_every_chapter_of_the_tutorial_has_a_picture():
    _, *chapters = re.split(r"^## ", (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(chapters) > 8
    for chapter in chapters:
        assert PICTURE.search(chapter), f"no picture in the chapter {chapter.splitlines()[0]}"


def test_the_pictures_of_the_documents_are_all_used_and_small():
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    files = sorted((ROOT / "docs" / "pictures").iterdir())
    for file in files:
        assert f"pictures/{file.name.replace('-dark.', '.')})" in text, f"no document shows {file.name}"
        assert file.stat().st_size < 150_000, file.name
    assert sum(file.stat().st_size for file in files) < 1_500_000


def test_every_schema_is_documented():
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "qontrast").rglob("*.py"))
    found = set(re.findall(r'"(qontrast/[^\s/"]+/\d+)"', source))
    assert len(found) > 20
    assert found == set(re.findall(r"`(qontrast/[^\s/`]+/\d+)`", page))


def links(document: Path) -> list[tuple[str, ...]]:
    """The targets of the links and pictures of a document, without those in code."""
    text = re.sub(r"`[^`\n]+`", "code", BLOCK.sub("", document.read_text(encoding="utf-8")))
    return re.findall(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$|<(https?:[^>]+)>", text, re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """The anchors of the headings of a document, as GitHub and Sphinx make them."""
    headings = re.findall(r"^#{1,3} (.+)$", BLOCK.sub("", document.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.replace("`", "").lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_to_a_file_and_a_heading_in_it(document):
    # cli-intro.md becomes a part of docs/reference/cli.md, which is generated
    folder = document.parent / ("reference" if document.name == "cli-intro.md" else ".")
    for target in (each for found in links(document) for each in found if each):
        if re.match(r"\w+:", target):
            assert re.fullmatch(r"https://[\w-]+(\.[\w-]+)+(/[\w./%#?=&~-]*)?", target), f"{document.name}: {target}"
            continue
        path, _, anchor = target.partition("#")
        leads = (folder / path).resolve() if path else document
        if leads != ROOT / "docs" / "reference" / "cli.md":
            assert leads.exists(), f"{document.name}: {target}"
            assert not anchor or anchor in anchors(leads), f"{document.name}: no heading {anchor!r} in {leads.name}"


def check_built_links(folder: Path) -> None:
    """Every link of a built page leads to a built file, and to an element of it where it has an anchor."""
    pages = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    ids = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    count = 0
    for page, text in pages.items():
        for target in re.findall(r'\b(?:href|src)="([^"]+)"', text):
            path, _, anchor = unquote(unescape(target)).partition("#")
            if not re.match(r"\w+:", path):
                leads = (page.parent / path.partition("?")[0]).resolve() if path else page
                assert leads.exists(), f"{page.name}: {target}"
                assert not anchor or leads not in ids or anchor in ids[leads], f"{page.name}: {target}"
                count += 1
    assert count > 1000


def test_the_page_on_choosing_has_every_semantics_and_method_with_its_source():
    page = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    for name, each in qx.SEMANTICS.items():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{name}`")), None)
        assert row, f"choosing.md has no row for the semantics {name}"
        for word in re.findall(r"\b[A-Z]\w+|\b\d{4}", each.source):
            assert word in page, f"choosing.md does not name {word}, from the source of {name}"
    for name in qx.METHODS:
        rows = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert len(rows) >= 2, f"choosing.md lacks the formula or the source of the method {name}"


def test_the_readme_counts_semantics_and_names_extras_and_formats_as_they_are():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    words = {7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
    for table, what in ((qx.SEMANTICS, "gradual semantics"), (qx.FORMATS, "formats")):
        count = f"{words.get(len(table), len(table))} {what}"
        assert count in text.lower(), f"README.md does not say that there are {count}"
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or newer" in text
    table = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert table == set(PROJECT["optional-dependencies"]) - FOR_DEVELOPERS


def test_the_first_screen_of_the_readme_has_make_demo_and_make_test_with_their_time_and_pip_comes_later():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    screen = text.splitlines()[:16]
    for target in ("demo", "test"):
        assert [line for line in screen if re.match(rf"make {target}  # .*: about .*minute", line)], target
    assert text.index("make test") < text.index("pip install")


@pytest.mark.parametrize("module", ["", ".axioms", ".networks", ".show", ".studies", ".web"])
def test_the_reference_lists_every_public_name(module):
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    errors = re.search(r"automodule:: qontrast.errors\n +:members: (.*)", page)
    assert errors
    listed = set(re.findall(r"(?:\w:: |``)(?:qontrast\.)?([\w.]+)", page)) | set(errors[1].split(", "))
    found = importlib.import_module(f"qontrast{module}")
    names = [name for name in found.__all__ if name not in ("__version__", "examples", "networks")]
    at_the_top = [name for name in names if getattr(qx, name, None) is getattr(found, name)]
    missing = [name for name in names if f"{module}.{name}".strip(".") not in listed]
    assert [name for name in missing if name not in at_the_top or name not in listed] == []


def test_the_page_on_files_lists_every_format():
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == set(qx.FORMATS)


def test_the_citation_and_the_documents_name_the_paper_and_its_authors():
    title = "Contrastive Explanations in Quantitative Bipolar Argumentation Frameworks"
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert title in citation
    for name in ("README.md", "docs/choosing.md"):
        text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        assert title in text
        for author in re.findall(r"given-names: (\w+)\n +family-names: (\w+)", citation):
            assert " ".join(author) in text, f"{name} does not name {author}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_spells_out_caf_where_it_first_uses_it(document):
    text = " ".join(re.sub(r"[*`]", "", document.read_text(encoding="utf-8")).split())
    first = re.search(r"\bCAFs?\b", text)
    if first:
        assert re.search(r"contrastive attribution functions? \($", text[: first.start()]), text[: first.end()][-80:]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_installs_the_package_from_an_index_that_does_not_have_it(document):
    assert not re.search(r"pip install '?qontrast", document.read_text(encoding="utf-8"))
