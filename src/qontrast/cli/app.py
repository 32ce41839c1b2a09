"""The table of commands, and how one of them is run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from .._version import __version__
from . import DONE, INTERRUPTED, USAGE, ask, files
from .options import spread

app = typer.Typer(
    name="qontrast",
    help="Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation.",
    epilog="Try: qontrast why examples:healthcare antiviral antibiotic",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    add_completion=True,
)

COMMANDS: dict[str, tuple[Callable[..., Any], str]] = {  # name → function, and where it stands in the help
    "why": (ask.why, "Ask"),
    "strengths": (ask.strengths, "Ask"),
    "pairs": (ask.pairs, "Ask"),
    "rank": (ask.rank, "Ask"),
    "paths": (ask.paths, "Ask"),
    "whatif": (ask.whatif, "Ask"),
    "flip": (ask.flip, "Ask"),
    "check": (files.check, "Files and pictures"),
    "convert": (files.convert, "Files and pictures"),
    "examples": (files.examples, "Files and pictures"),
}
for _name, (_function, _panel) in COMMANDS.items():
    app.command(_name, rich_help_panel=_panel)(spread(_function))

ClickException: type[Any] = typer.BadParameter.__mro__[2]  # typer has its own copy of click, or the real one


def _version(asked: bool) -> None:
    if asked:
        print(f"qontrast {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None: ...


def run(arguments: Sequence[str]) -> int:
    """Parse, call, and return the exit code."""
    command = typer.main.get_command(app)
    try:
        code = command.main(list(arguments) or ["--help"], prog_name="qontrast", standalone_mode=False)
    except ClickException as error:
        print(f"qontrast: {_usage(error)}", file=sys.stderr)
        return USAGE
    except typer.Abort:
        print("qontrast: interrupted", file=sys.stderr)
        return INTERRUPTED
    if not arguments:
        return USAGE
    return code if isinstance(code, int) else DONE


def _usage(error: Any) -> str:
    """A mistake in the words on the command line, in one sentence with the way out."""
    context = error.ctx
    path = context.command_path if context else "qontrast"
    wanted, near = getattr(error, "option_name", None), getattr(error, "possibilities", None)
    if near is not None or (wanted and "No such option" in error.format_message()):
        hint = f"; did you mean {sorted(near)[0]}?" if near else f"; see {path} --help"
        return f"{path} has no option {wanted}{hint}"
    text = error.format_message().rstrip(".")
    text = " ".join(text.split())
    return f"{text[:1].lower()}{text[1:]}" + ("" if "mean" in text else f"; see {path} --help")
