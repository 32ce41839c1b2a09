"""Configure Sphinx, and generate the reference of the command line from the commands."""

import re
from pathlib import Path

import typer

from qontrast import __version__
from qontrast.cli.app import COMMANDS, app

project, author, release = "qontrast", "The qontrast team", __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "qontrast"
exclude_patterns = ["_build", "cli-intro.md"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100
napoleon_google_docstring = False
napoleon_use_rtype = False


def _commands() -> str:
    """Return a page with every command, its arguments and its options."""
    group = typer.main.get_command(app())
    parts = ["# Command line\n", (Path(__file__).parent / "cli-intro.md").read_text()]
    for name in COMMANDS:
        command = group.commands[name]
        words = [f"{_plain(each)}" if each.required else f"[{_plain(each)}]" for each in _arguments(command)]
        parts.append(f"## `{name}`\n\n{command.help}\n\n```text\nqontrast {name} {' '.join(words)} [OPTIONS]\n```\n")
        rows = [f"| {_named(param)} | {_escaped(param.help or '')} |" for param in command.params]
        parts.append("\n".join(["| | |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _arguments(command):
    return [param for param in command.params if param.param_type_name == "argument"]


def _plain(param):
    return param.metavar or param.name.upper()


def _named(param):
    if param.param_type_name == "argument":
        return f"`{_plain(param)}`"
    return ", ".join(f"`{option}`" for option in param.opts) + (f" {param.metavar}" if param.metavar else "")


def _escaped(text):
    return re.sub(r"([|*<])", r"\\\1", text)


reference = Path(__file__).parent / "reference"
reference.mkdir(exist_ok=True)
(reference / "cli.md").write_text(_commands())


def setup(sphinx):
    """Escape | in docstrings: we write |x| for a magnitude, and reStructuredText would read a substitution."""

    def process(_app, _what, _name, _object, _options, lines):
        lines[:] = [line if line.lstrip().startswith((">>>", "...")) else line.replace("|", r"\|") for line in lines]

    sphinx.connect("autodoc-process-docstring", process)
