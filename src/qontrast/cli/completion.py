"""Complete words in the shell: commands, options, files, examples and the names of the arguments in a file."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from ..errors import InvalidInput, QontrastError
from ..examples import EXAMPLES
from ..formats import FORMATS, read
from ..graph.labels import visible
from ..graph.qbaf import Qbaf
from ..questions.question import PLAYERS
from .output import print_note

VARIABLE = "_QONTRAST_COMPLETE"  # the shell's script sets it, such as to bash_complete
START_FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/completions/qontrast.fish"}
SCRIPTS = {
    "bash": f'eval "$({VARIABLE}=bash_source qontrast)"',
    "zsh": f'eval "$({VARIABLE}=zsh_source qontrast)"',
    "fish": f"{VARIABLE}=fish_source qontrast | source",
}
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_from(table: Mapping[str, Any] | Iterable[str]) -> Completer:
    """Make a completion from a table: name → description, or names alone."""

    def complete(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
        about = table if isinstance(table, Mapping) else {}
        found = [name for name in table if name.startswith(start)]
        return [CompletionItem(x, help=about[x] if isinstance(about.get(x), str) else None) for x in found]

    return complete


def complete_file(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Offer folders, files that have the suffix of some format, and examples."""
    folder, _slash, name = start.rpartition("/")
    suffixes = {suffix for each in FORMATS.values() for suffix in each.suffixes}
    found: list[str] = []
    try:
        for path in sorted(Path(f"{folder}/" if folder or start.startswith("/") else ".").iterdir()):
            text = f"{folder}/{path.name}" if "/" in start else path.name
            if path.name.startswith(name) and (name or not path.name.startswith(".")):
                if path.is_dir():
                    found.append(f"{text}/")
                elif path.suffix.lower() in suffixes:
                    found.append(text)
    except OSError:
        pass  # a folder that cannot be read offers nothing
    found += [f"examples:{each}" for each in EXAMPLES if f"examples:{each}".startswith(start)]
    return [CompletionItem(each) for each in found]


def complete_players(context: click.Context, option: click.Parameter, start: str) -> list[CompletionItem]:
    """Offer the kinds of players, then folders and files."""
    files = [item for item in complete_file(context, option, start) if not item.value.startswith("examples:")]
    return [*complete_from(PLAYERS)(context, option, start), *files]


def complete_argument(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Offer the arguments of the graph that the command line names, with their labels."""
    return _complete_names(context, start, lambda name, _score: name)


def complete_score(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Offer NAME=SCORE with the score that the argument has."""
    return _complete_names(context, start, lambda name, score: f"{name}={score:g}")


def _complete_names(context: click.Context, start: str, write: Callable[[str, float], str]) -> list[CompletionItem]:
    qbaf = _read_quietly(context)
    if qbaf is None:
        return []
    words = {name: write(str(name), score) for name, score in qbaf.base_scores.items()}
    labels = {name: visible(label) for name, label in qbaf.labels.items()}
    return [CompletionItem(word, help=labels.get(name)) for name, word in words.items() if word.startswith(start)]


def _read_quietly(context: click.Context) -> Qbaf | None:
    """Read the graph that FILE names; None where there is none, since a completion prints no errors."""
    # an option that still lacks its value keeps click from parsing the words before it
    typed = [word for word in os.environ.get("COMP_WORDS", "").split()[2:-1] if not word.startswith("-")]
    for file in (context.params.get("file"), *typed):
        if file and file != "-":
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return read(file, context.params.get("read_as"))
            except QontrastError:
                continue
    return None


# -- the shell's side ----------------------------------------------------------------------------------------


def complete_words(program: click.Command) -> None:
    """Answer the shell, which asks for completions through the variable."""
    shell_complete(program, {}, "qontrast", VARIABLE, os.environ[VARIABLE])


def _find_shell() -> str:
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in START_FILES:
        raise InvalidInput(f"completion is for {', '.join(START_FILES)}; the variable SHELL names {shell or 'none'}")
    return shell


def install_completion(_: click.Context) -> None:
    """Add the completion to the file that the shell reads when it starts, once."""
    shell = _find_shell()
    file, line = Path.home() / START_FILES[shell], SCRIPTS[shell]
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if line not in text:
        file.parent.mkdir(parents=True, exist_ok=True)
        end = "\n" if text and not text.endswith("\n") else ""
        file.write_text(f"{text}{end}{line}\n", encoding="utf-8")
    print_note(f"{file}: has the completion of qontrast; it works in shells that are started from now on")


def show_completion(context: click.Context) -> None:
    """Print the script that the shell runs."""
    shell = get_completion_class(_find_shell())
    assert shell is not None
    print(shell(context.command, {}, "qontrast", VARIABLE).source())
