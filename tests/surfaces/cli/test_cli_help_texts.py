"""The help of every option is a sentence, its place holder stands in capitals, and its value has the type it names."""

from __future__ import annotations

import re
import unicodedata
from typing import get_args, get_type_hints

import click
import pytest

from qontrast.attribution.methods import METHODS
from qontrast.cli.main import COMMANDS, load_command
from qontrast.cli.options import METHOD_OPTIONS
from qontrast.cli.output import REPLACEMENTS

ABBREVIATIONS = {"JSON", "JSONL", "CSV", "SVG", "PDF", "PNG", "HTML", "QBAF", "GPU"}
HOLDERS = {"HOST", "NAME", "SOURCE", "TARGET", "MEAN", "LOW", "HIGH"}
SPELLED_AS_TYPED = {"l1|l2"}  # the only values that an option takes
BEGIN_AS_TYPED = ("'t >= 0.5'", "all, or some of")


def list_parts(command: click.Command) -> list[click.Parameter]:
    return [each for each in command.params if each.name != "help"]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_and_of_each_option_is_a_sentence(name: str) -> None:
    command = load_command(name)
    held = {word for each in list_parts(command) for word in re.findall(r"[A-Z]+", each.metavar or "")}
    for text in [command.help, *(getattr(each, "help", None) for each in list_parts(command))]:
        assert text, f"{name}: {[each.name for each in list_parts(command) if not getattr(each, 'help', None)]}"
        assert re.match(r"[A-Z]", text) or text.startswith(BEGIN_AS_TYPED), text
        assert text.endswith("."), text
        shouted = set(re.findall(r"\b[A-Z]{3,}\b", text)) - held - ABBREVIATIONS - HOLDERS
        assert not shouted, f"{name}: {shouted} in {text}"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_place_holder_of_every_value_stands_in_capitals(name: str) -> None:
    for each in list_parts(load_command(name)):
        assert each.metavar is None or each.metavar == each.metavar.upper() or each.metavar in SPELLED_AS_TYPED


def test_an_option_of_a_method_takes_the_type_of_the_setting_and_names_it() -> None:
    options = {name: each for each in METHOD_OPTIONS for name in each.settings}
    for entry in METHODS.values():
        for setting, hint in get_type_hints(entry.make).items():
            if setting in options:
                kind = (get_args(hint) or (hint,))[0]
                option = options[setting]
                assert type(option.type.convert("3", option, None)) is kind, setting
                assert option.metavar == {int: "N", float: "NUMBER", str: "NAME"}[kind]
    with pytest.raises(click.BadParameter, match="not a valid integer"):
        options["seed"].type.convert("2.5", options["seed"], None)


def test_a_character_that_a_terminal_lacks_is_replaced_by_what_it_is_called_or_looks_like() -> None:
    assert len(REPLACEMENTS) > 50
    for character, plain in REPLACEMENTS.items():
        assert len(character) == 1
        assert plain.isascii()
        called = unicodedata.name(character)
        if character in "∞⊥ΣΔ":  # mathematics, by its meaning
            assert plain in ("inf", "undefined", "sum", "delta")
        elif called.startswith("GREEK"):
            letter = called.rpartition(" ")[2]
            assert plain == (letter.title() if "CAPITAL" in called else letter.lower())
        elif called.startswith("LATIN"):  # the letter, or the two of which it is made
            letters = re.search(r"(?:LETTER|LIGATURE) (?:DOTLESS )?(SHARP S|[A-Z]+)", called)[1].replace(
                "SHARP S", "SS"
            )  # type: ignore[index]
            assert plain == (letters if "CAPITAL" in called else letters.lower())
        elif any(kind in called for kind in ("BLOCK", "SHADE", "BOX DRAWINGS", "QUOTATION", "SPACE", "HYPHEN", "DASH")):
            assert len(plain) == 1, called  # as wide as it was
        else:
            assert not plain.isalnum() or plain in ("x", "d"), called
