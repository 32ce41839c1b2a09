"""Draw the pictures of the documents, each from the code that the document shows above it: `python docs/pictures.py`.

A picture `![...](pictures/NAME.svg)` is the last value that the block of Python before it assigns to a name: our own
SVG as text, or matplotlib's Axes. It also gets a version for dark pages, pictures/NAME-dark.svg: our own SVG in other
colours, Axes by running the block again in a dark style.
"""

import ast
import doctest
import os
import re
import sys
import tempfile
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import debates

HERE = Path(__file__).resolve().parent
PAGES = ("gallery.md", "tutorial.md", "debates.md")
PART = re.compile(r"^```(python|pycon)\n(.*?)^```$|^!\[[^\]]*\]\(pictures/([\w-]+)\.svg\)$", re.MULTILINE | re.DOTALL)
# texts stay texts: files are small, and a test can compare what they say
SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "qontrast", "font.family": ["DejaVu Sans", "sans-serif"]}


def find_name(language: str, code: str) -> str:
    """The name to which the last statement of a block assigns, or ""."""
    if language == "pycon":
        code = "".join(example.source for example in doctest.DocTestParser().get_examples(code))
    last = ast.parse(code).body[-1]
    target = last.targets[0] if isinstance(last, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def write_svg(picture: Any, transparent: bool = False) -> str:
    """A picture as SVG: our own as it is, an Axes by matplotlib."""
    if isinstance(picture, str):
        return picture + "\n"
    import matplotlib

    data, figure = BytesIO(), picture.get_figure(root=True)
    with matplotlib.rc_context(SETTINGS):
        settings = {"bbox_inches": "tight", "transparent": transparent, "metadata": {"Date": None, "Creator": None}}
        figure.savefig(data, format="svg", **settings)
    return "".join(f"{line.rstrip()}\n" for line in data.getvalue().decode().splitlines())


def write_dark(svg: str) -> str:
    """The same picture of our own in the colours of dark pages."""
    from qontrast.show.palette import find_palette, write_style

    return svg.replace(">", f"><style>{write_style(find_palette(dark=True))}</style>", 1)


def run_block(language: str, code: str, space: dict[str, Any]) -> None:
    """Run a block of Python; the names that it assigns are in the space afterwards."""
    if language == "python":
        exec(code, space)
        return
    test = doctest.DocTestParser().get_doctest(code, space, "document", None, 0)
    doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None, clear_globs=False)
    space |= test.globs


def draw_dark(language: str, code: str, space: dict[str, Any], name: str) -> str:
    """The picture that a block draws in a dark style, on the paper of the page."""
    from matplotlib import pyplot

    with pyplot.style.context("dark_background"):
        run_block(language, code, space)
        return write_svg(space[name], transparent=True)


def draw_page(page: str) -> dict[str, str]:
    """Run the Python of a page; the pictures are returned by the names of their files."""
    found: dict[str, str] = {}
    space: dict[str, Any] = {}
    before: dict[str, Any] = {}
    block, name = ("python", ""), ""
    for language, code, picture in PART.findall((HERE / page).read_text(encoding="utf-8")):
        if picture:
            drawn = space[name]
            found[f"{picture}.svg"] = write_svg(drawn)
            dark = write_dark(drawn) + "\n" if isinstance(drawn, str) else draw_dark(*block, dict(before), name)
            found[f"{picture}-dark.svg"] = dark
            continue
        block, before, name = (language, code), dict(space), find_name(language, code)
        run_block(language, code, space)
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(HERE.parent / "src"))
    drawn: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # blocks write files
        debates.write_tables(Path())
        for each in PAGES:
            drawn |= draw_page(each)
    os.chdir(HERE)
    (HERE / "pictures").mkdir(exist_ok=True)
    for old in (HERE / "pictures").glob("*.svg"):
        old.unlink()
    for file, text in drawn.items():
        (HERE / "pictures" / file).write_text(text, encoding="utf-8")
        print(f"{file:32}{len(text):8,} characters")
