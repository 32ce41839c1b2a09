"""Run one command of the table COMMANDS and return its exit code.

Data goes to standard output, everything else to standard error. EXIT_CODES says what each exit code means.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import click

from .._version import __version__
from ..errors import (
    FontWarning,
    FormatError,
    FormatWarning,
    Hint,
    InvalidInput,
    InvalidQbaf,
    QontrastError,
    SlowWarning,
    TooLarge,
    UndefinedStrength,
    UnknownName,
    unknown_name,
)
from . import explain_missing
from .completion import VARIABLE, complete_words, install_completion, show_completion
from .output import abandon_output, prepare_streams, print_note, print_text

DONE, UNEXPECTED, USAGE, BAD_FILE, UNDEFINED, BAD_GRAPHS, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
EXIT_CODES = {  # `qontrast --help` prints them
    DONE: "done; also where the reader of a pipe stops reading, as `head` does",
    UNEXPECTED: "a missing package, or something unexpected; QONTRAST_DEBUG=1 shows where",
    USAGE: "wrong usage, or an unknown name",
    BAD_FILE: "a file, or standard output, that cannot be read or written",
    UNDEFINED: "undefined strengths",
    BAD_GRAPHS: "`batch` wrote its table, and some graphs have no answer: the column `error` says why",
    INTERRUPTED: "interrupted by Ctrl-C",
}
INSTEAD_OF_OUT = {  # what to do instead of -o, for the commands that print no answer
    "qontrast": "put it after the command",
    "qontrast explore": "write a page with qontrast report -o PATH",
}
OTHER_COMMANDS = {"all_graphs": "qontrast batch explains them all"}  # hints that lead to another command
ERROR_CODES: dict[type[QontrastError], int] = {
    FormatError: BAD_FILE,
    InvalidQbaf: BAD_FILE,
    UndefinedStrength: UNDEFINED,
    UnknownName: USAGE,
    InvalidInput: USAGE,
    TooLarge: USAGE,
}


@dataclass(frozen=True)
class CommandEntry:
    """A command: its part of the help, and its help.

    The module `commands.<name>` has its arguments and options, PARAMETERS, and the function that does the work, `run`.
    """

    panel: str
    help: str


ASK, FILES, LONG = "Ask", "Files and pictures", "Longer work"
COMMANDS: dict[str, CommandEntry] = {
    "why": CommandEntry(ASK, "Explain why one topic is rated above or below another."),
    "strengths": CommandEntry(ASK, "Print the strength of every argument."),
    "pairs": CommandEntry(
        ASK, "Compare every topic with every other: the gap between them, and the strongest reasons."
    ),
    "rank": CommandEntry(ASK, "List the topics from the strongest to the weakest, and explain each step."),
    "paths": CommandEntry(ASK, "List the paths through which one argument acts on another."),
    "interactions": CommandEntry(ASK, "List the pairs of players that work together for a topic, or overlap."),
    "reasons": CommandEntry(
        ASK, "List the sets of players that keep the order of two topics, or that change it by leaving."
    ),
    "semantics": CommandEntry(ASK, "Compare the order of two topics, and the reasons for it, under every semantics."),
    "whatif": CommandEntry(ASK, "Compare strengths and reasons before and after the changes of --set and --remove."),
    "change": CommandEntry(ASK, "Explain how the gap changed between versions of a graph, and which changes did it."),
    "flip": CommandEntry(ASK, "Find the smallest change that would make the foil win."),
    "uncertainty": CommandEntry(ASK, "Say how sure the order is where base scores are uncertain, and what to check."),
    "reach": CommandEntry(ASK, "Find the cheapest change of base scores or weights that reaches a goal."),
    "robustness": CommandEntry(ASK, "Bound how far base scores may be off before the order of two topics changes."),
    "axioms": CommandEntry(
        ASK, "Check which properties the explanation has on this graph: the paper's, and others of edges and groups."
    ),
    "draw": CommandEntry(FILES, "Draw the graph, or another figure, as SVG, PDF or PNG."),
    "report": CommandEntry(
        FILES, "Write one page with the whole answer: words, graph, bars, table, all pairs, flip, method."
    ),
    "check": CommandEntry(FILES, "Describe what a file holds, and say whether its strengths are defined."),
    "convert": CommandEntry(FILES, "Write a graph in another format."),
    "examples": CommandEntry(FILES, "List the examples, or print one; every command reads them as examples:NAME."),
    "explore": CommandEntry(LONG, "Serve a page on this machine where the graph can be explored, until Ctrl-C."),
    "mcp": CommandEntry(LONG, "Serve the questions to an assistant, as tools of the Model Context Protocol."),
    "batch": CommandEntry(LONG, "Explain many graphs, and write a row for each; a run that was stopped continues."),
    "audit": CommandEntry(LONG, "Measure how prominent each feature is in explaining one class rather than another."),
    "reproduce": CommandEntry(LONG, "Recompute the numbers of the paper and write them beside the printed ones."),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    try:
        with warnings.catch_warnings():
            for kind in (FontWarning, FormatWarning, SlowWarning):
                warnings.simplefilter("always", kind)
            warnings.showwarning = partial(_print_warning, command=words[0] if words else "")
            code = _run(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader of our output has stopped reading
        abandon_output()
        return DONE
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except QontrastError as error:
        code = next(code for kind, code in ERROR_CODES.items() if isinstance(error, kind))
        return _fail(describe_error(error, words[0] if words else ""), code)
    except ImportError as error:
        return _fail(explain_missing(error), UNEXPECTED)
    except OSError as error:  # files are read and written with errors of our own, so this is standard output
        abandon_output()
        place = error.filename if error.filename is not None else "standard output"
        return _fail(f"{place}: cannot be written: {error.strerror or error}", BAD_FILE)
    except Exception as error:  # a user sees one line, a developer asks for more
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        return _fail(f"unexpected {what} (a bug? QONTRAST_DEBUG=1 shows where)", UNEXPECTED)


def _fail(message: str, code: int) -> int:
    if os.environ.get("QONTRAST_DEBUG", "") not in ("", "0") and code != INTERRUPTED:
        traceback.print_exc()
    print_note(f"qontrast: {message}")
    return code


def _print_warning(message: Warning | str, *_: Any, command: str, **__: Any) -> None:
    if isinstance(message, SlowWarning):
        message = f"{describe_error(message, command)}; Ctrl-C stops it"
    print_note(f"note: {message}")


# -- click ---------------------------------------------------------------------------------------------------


class Program(click.Group):
    """The command `qontrast`; the module of a command is imported when the command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        return load_command(name) if name in COMMANDS else None


def load_command(name: str) -> click.Command:
    """Make a command from its row in COMMANDS and its module."""
    module = import_module(f".commands.{name}", __package__)
    parameters = [*module.PARAMETERS, _HELP]
    return click.Command(name, params=parameters, callback=module.run, help=COMMANDS[name].help, add_help_option=False)


def _make_flag(names: list[str], text: str, act: Callable[[click.Context], None]) -> click.Option:
    """Make an option that does something else instead of running a command."""

    def callback(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            act(context)
            context.exit()

    return click.Option(names, is_flag=True, is_eager=True, expose_value=False, help=text, callback=callback)


def _print_help(context: click.Context) -> None:
    from .help import describe_command, describe_program

    print_text(*(describe_command if context.parent else describe_program)(context))


_HELP = _make_flag(["--help", "-h"], "Show this message and exit.", _print_help)
PROGRAM = Program(
    "qontrast",
    params=[
        _make_flag(["--version"], "Show the version.", lambda _: print(f"qontrast {__version__}")),
        _make_flag(["--install-completion"], "Install completion for the current shell.", install_completion),
        _make_flag(["--show-completion"], "Print the completion for the current shell, to copy it.", show_completion),
        _HELP,
    ],
    help="Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation.",
    add_help_option=False,
)


def _run(words: list[str]) -> int:
    """Parse the words of the command line, run the command and return the exit code."""
    if VARIABLE in os.environ:
        complete_words(PROGRAM)
        return DONE
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        raise unknown_name(words[0], COMMANDS, "command")
    if len(words) > 1 and any(words[0] in each.opts for each in PROGRAM.params if each is not _HELP):
        raise InvalidInput(f"{words[0]} stands alone; leave out {' '.join(words[1:])!r}")
    try:
        with PROGRAM.make_context("qontrast", list(words) or ["--help"]) as context:
            code = PROGRAM.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code if words else USAGE
    except click.ClickException as error:
        return _fail(_describe_usage_error(error), USAGE)
    return code if isinstance(code, int) else DONE


def _describe_usage_error(error: click.ClickException) -> str:
    """Write a mistake in the words on the command line as one sentence with the way out."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "qontrast"
    if isinstance(error, click.NoSuchOption):
        if error.option_name in ("-o", "--out", "--output"):
            advice = INSTEAD_OF_OUT.get(
                path, "it prints to standard output: add > PATH, or write a page with qontrast report -o PATH"
            )
        else:
            advice = f"did you mean {sorted(error.possibilities)[0]}?" if error.possibilities else f"see {path} --help"
        return f"{path} has no option {error.option_name}; {advice}"
    text = " ".join(error.format_message().rstrip(".").split())
    return f"{text[:1].lower()}{text[1:]}; see {path} --help"


# -- errors in the terms of the command line -----------------------------------------------------------------


def describe_hint(hint: Hint, command: str) -> str | None:
    """Write a hint as an option of this command; None where the command has no such option.

    >>> describe_hint(Hint("method", ("removal", "shapley")), "why")
    'try --method removal or shapley'
    >>> describe_hint(Hint("max_steps", raised=True), "why"), describe_hint(Hint("max_steps", raised=True), "examples")
    ('raise --max-steps', None)
    """
    if hint.setting in OTHER_COMMANDS:
        return OTHER_COMMANDS[hint.setting]
    parameters = load_command(command).params if command in COMMANDS else []
    found = [each for each in parameters if hint.setting in (each.name, *getattr(each, "settings", ()))]
    if not found:
        return None
    if isinstance(found[0], click.Argument):
        names = [each.human_readable_name for each in parameters if isinstance(each, click.Argument)]
        return f"name {' and '.join(names[1:])} after the file"
    option = found[0].opts[0]
    if hint.raised:
        text = f"raise {option}"
    elif not hint.values:
        text = f"name each with {option}"
    elif hint.values == (True,):
        text = f"add {option}"
    elif len(hint.values) > 3:
        text = f"give {option} one of {', '.join(map(str, hint.values))}"
    else:
        text = f"try {option} {' or '.join(map(str, hint.values))}"
    return f"{text} {hint.more}".rstrip()


def describe_error(error: QontrastError | SlowWarning, command: str) -> str:
    """Write the message of an error with the ways out that this command has, on one line."""
    return " ".join(error.phrase(partial(describe_hint, command=command)).split("\n"))
