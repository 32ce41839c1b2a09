"""Errors in the words of the page: a hint names what can be chosen there, or is left out."""

from __future__ import annotations

from ..errors import Hint, QontrastError

CHOICES = ("method", "solver", "semantics", "figure", "norm")  # what page and requests call by the same name


def on_page(hint: Hint) -> str | None:
    """Phrase a hint as a choice on the page; None where there is none.

    >>> on_page(Hint("method", ("removal", "shapley"))), on_page(Hint("max_steps", raised=True))
    ('choose the method removal or shapley', None)
    """
    if hint.setting not in CHOICES or not hint.values:
        return None
    return f"choose the {hint.setting} {' or '.join(map(str, hint.values))}"


def phrased(error: QontrastError) -> str:
    """The message of an error with the ways out that the page has."""
    return error.phrase(on_page)
