"""Configure Sphinx, and generate the reference of the command line from the commands."""

import re
from pathlib import Path

import click

from qontrast import __version__
from qontrast.cli.help import write_argument, write_option
from qontrast.cli.main import COMMANDS, load_command

project, author, release = "qontrast", "The qontrast team", __version__
html_show_copyright = False
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "qontrast"
html_static_path = ["static"]
html_css_files = ["pictures.css"]
html_show_sourcelink = False
exclude_patterns = ["_build", "cli-intro.md"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100
napoleon_google_docstring = False
napoleon_use_rtype = False
suppress_warnings = ["ref.python"]  # a type such as array is no reference to one of the attributes of that name


def _commands() -> str:
    """Return a page with every command, its arguments and its options."""
    parts = ["# Command line\n", (Path(__file__).parent / "cli-intro.md").read_text()]
    for name, entry in COMMANDS.items():
        parameters = load_command(name).params
        usage = " ".join(write_argument(each) for each in parameters if isinstance(each, click.Argument))
        parts.append(f"## `{name}`\n\n{entry.help}\n\n```text\nqontrast {name} {usage} [OPTIONS]\n```\n")
        rows = [f"| `{_named(each)}` | {_escaped(each.help or '')} |" for each in parameters]
        parts.append("\n".join(["| | |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _named(parameter):
    named = parameter.human_readable_name if isinstance(parameter, click.Argument) else write_option(parameter)
    return named.replace("|", r"\|")


def _escaped(text):
    return re.sub(r"([|*<])", r"\\\1", text)


reference = Path(__file__).parent / "reference"
reference.mkdir(exist_ok=True)
(reference / "cli.md").write_text(_commands())


def show_on_dark_pages(app, doctree):
    """Show NAME-dark.svg or .png instead of a picture where there is one; other pictures stand on white paper."""
    from docutils import nodes

    for image in list(doctree.findall(nodes.image)):
        path = Path(image["uri"])
        image["classes"] += ["phone"] if path.stem.endswith("-phone") else []
        dark = path.with_stem(f"{path.stem}-dark")
        if not (Path(app.srcdir) / dark).exists():
            image["classes"].append("on-paper")
            continue
        other = image.deepcopy()
        other["uri"] = dark.as_posix()
        other["classes"].append("only-dark")
        image["classes"].append("only-light")
        image.parent.insert(image.parent.index(image) + 1, other)


def list_other_pages(app, page, source):
    """Put the pages that no list of the first page names in the place of the star."""
    if page == "index":
        named = {"index", "cli-intro", *re.findall(r"^[\w/-]+$", source[0], re.MULTILINE)}
        others = sorted(path.stem for path in Path(app.srcdir).glob("*.md") if path.stem not in named)
        source[0] = source[0].replace("\n*\n", "\n".join(["", *others, ""]))


def trim_blocks(_app, doctree):
    """Leave out the empty line at the end of a block, which doctest needs."""
    from docutils import nodes

    for block in doctree.findall(nodes.literal_block):
        if len(block) == 1 and isinstance(block[0], nodes.Text):
            block.rawsource = block.rawsource.rstrip()  # highlighted only while both are the same
            block[0] = nodes.Text(block.astext().rstrip())


def link_pictures(app, doctree, page):
    """Make every picture a link to its file, so that it can be seen in full on a phone."""
    from docutils import nodes

    for image in list(doctree.findall(nodes.image)):
        if app.builder.format == "html" and image["uri"] in app.env.images and "/" not in page:
            address = f"{app.builder.imagedir}/{app.env.images[image['uri']][1]}"
            image.replace_self(nodes.reference("", "", image.deepcopy(), internal=True, refuri=address))


def setup(sphinx):
    """Show calls of tools as text, connect what pictures need, and escape | in docstrings, which is a substitution."""
    from pygments.lexers.special import TextLexer

    sphinx.add_lexer("mcp", TextLexer)
    sphinx.connect("source-read", list_other_pages)
    sphinx.connect("doctree-read", trim_blocks)
    sphinx.connect("doctree-resolved", link_pictures)
    sphinx.connect("doctree-read", show_on_dark_pages, priority=100)  # before images are collected

    def process(_app, _what, _name, _object, _options, lines):
        lines[:] = [line if line.lstrip().startswith((">>>", "...")) else line.replace("|", r"\|") for line in lines]

    sphinx.connect("autodoc-process-docstring", process)
