"""Write numbers as texts: every number format of sentences, tables, pictures and pages.

The texts have a decimal point and the minus sign U+2212, which no font and no line break takes for a hyphen. A language
puts its own decimal mark (see `languages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import ceil, floor, isfinite, isnan, log10

SHOWN_AS_ZERO = 5e-4  # below this a value would be written as 0.000
MIN_DECIMAL = 1e-5  # below this a value is written as 3.4·10⁻⁷
MAX_DIGITS = 6  # after the point, of numbers that have to add up
ROUNDING = 1e-6  # of the last printed digit: 0.30000000000000004 is 0.300, not 0.301
GOOD_DIGITS = 12  # of a computed number, which is rounded to them first: its last bit does not choose 0.062 or 0.063
UNDEFINED, ABOUT_ZERO = "undefined", "about 0"  # the only words that stand for a number
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Number(str):
    """A number as text; a language puts its own decimal mark."""

    __slots__ = ()


def number(value: float, sign: str = "", digits: int = 3) -> Number:
    """Write a value with three decimals, or with two digits where it would be shown as 0.000.

    Parameters
    ----------
    value : float
        NaN is written as "undefined", 0 and −0 as "0".
    sign : str
        "+" writes the sign of positive values too.
    digits : int
        Decimals of values that are not small.

    Returns
    -------
    str
        The number.

    Examples
    --------
    >>> number(-0.0316, "+"), number(0.1196), number(-0.0), number(0.00012), number(-3.4e-7)
    ('−0.032', '0.120', '0', '0.00012', '−3.4·10⁻⁷')
    """
    if isnan(value):
        return Number(UNDEFINED)
    if value == 0:
        return Number("0")
    if abs(value) >= 0.5 * 10.0**-digits:
        return fixed(value, digits, sign)
    if abs(value) >= MIN_DECIMAL:
        return fixed(value, 1 - floor(log10(abs(value))), sign)
    mantissa, power = f"{value:{sign}.1e}".split("e")
    return _minus(f"{mantissa}·10{str(int(power)).translate(RAISED)}")


def fixed(value: float, digits: int, sign: str = "") -> Number:
    """Write a value with exactly so many decimals; never −0.

    >>> fixed(0.5, 2), fixed(-0.0001, 3, "+"), fixed(-1.25, 1), fixed(-1.25 - 1e-15, 1)
    ('0.50', '0.000', '−1.2', '−1.2')
    """
    text = f"{round(value, max(digits, GOOD_DIGITS)):{sign}.{digits}f}"
    return _minus(text if float(text) else text.lstrip("+-"))


def significant(value: float, digits: int = 3) -> Number:
    """Write a value with at most so many significant digits.

    >>> significant(0.125), significant(-2.0), significant(1234567.0, 6)
    ('0.125', '−2', '1.23457e+06')
    """
    return _minus(f"{value:.{digits}g}")


def with_error(value: float, error: float | None, digits: int = 3) -> Number:
    """Write a signed value and its standard error; digits below the error of a sample would say nothing.

    >>> with_error(0.25, None), with_error(-0.25004, 0.01), with_error(1e-6, 0.01)
    ('+0.250', '−0.250 ± 0.010', '0.000 ± 0.010')
    """
    return number(value, "+", digits) if error is None else Number(f"{fixed(value, digits, '+')} ± {number(error)}")


def with_interval(mean: float, low: float, high: float, digits: int, marks: str = "[, ]") -> Number:
    """Write a mean and the interval around it, if there is one.

    >>> with_interval(2.5, 1.0, 4.0, 2), with_interval(2.5, 1.0, 4.0, 2, "(–)"), with_interval(2.5, float("nan"), 0, 2)
    ('2.50 [1.00, 4.00]', '2.50 (1.00–4.00)', '2.50')
    """
    if isnan(low):
        return fixed(mean, digits)
    ends = f"{marks[0]}{fixed(low, digits)}{marks[1:-1]}{fixed(high, digits)}{marks[-1]}"
    return Number(f"{fixed(mean, digits)} {ends}")


def add_up(*terms: float, total: float, sign: str = "", digits: int = 3) -> tuple[Number, ...]:
    """Write terms and their sum, the sum last, so that they add up as printed.

    One or two more digits are written where that is what it takes, at most six. Where they do not suffice, the last
    term takes up the difference. What is not 0 is not written as 0.000; below 10⁻⁵ it is "about 0".

    >>> add_up(0.2368, 0.11963, total=0.35643)
    ('0.2368', '0.1196', '0.3564')
    >>> add_up(0.25, 0.5, total=0.75), add_up(0.12344446, 0.12344446, total=0.24688892)
    (('0.250', '0.500', '0.750'), ('0.12344', '0.12345', '0.24689'))
    """
    values = [*terms, total]
    if not all(map(isfinite, values)):
        return tuple(number(value, sign, digits) for value in values)
    small = [abs(value) for value in values if MIN_DECIMAL <= abs(value) < 0.5 * 10.0**-digits]
    least = max([digits, *(1 - floor(log10(value)) for value in small)])
    for places in range(least, max(least, min(least + 2, MAX_DIGITS)) + 1):
        good = [0.0 if abs(value) < MIN_DECIMAL else round(value, GOOD_DIGITS) for value in values]
        rounded = [Decimal(f"{value:.{places}f}") for value in good]
        if sum(rounded[:-1]) == rounded[-1]:
            break
    missing = rounded[-1] - sum(rounded[:-1])
    last = next((k for k in reversed(range(len(terms))) if rounded[k] not in (0, -missing)), None)
    if last is None:
        rounded[-1] -= missing
    else:
        rounded[last] += missing
    return tuple(_decimal(value, each, sign) for value, each in zip(values, rounded, strict=True))


def write_change(before: float, after: float, digits: int = 4) -> tuple[Number, Number, Number]:
    """Write a number before and after a change, and the change, so that they subtract as printed.

    >>> write_change(0.35643, 0.29014)
    ('0.3564', '0.2901', '−0.0663')
    """
    if abs(after - before) < MIN_DECIMAL:
        return number(before, digits=digits), number(after, digits=digits), number(after - before, "+")
    old, change, new = add_up(before, after - before, total=after, digits=digits)
    return old, new, Number(f"+{change}") if after > before else change


def write_move(old: float, new: float) -> tuple[Number, Number]:
    """Write two base scores with as many digits as it takes to tell them apart.

    The new one is rounded away from the old one, so that the change that is read is not smaller than the one meant.

    >>> write_move(0.5, 0.0909), write_move(0.5, 0.6871), write_move(0.6, 0.600012)
    (('0.500', '0.090'), ('0.500', '0.688'), ('0.60000', '0.60002'))
    """
    digits = next((k for k in range(3, 9) if f"{old:.{k}f}" != f"{new:.{k}f}"), 9)
    unit = 10.0**-digits
    steps = ceil(new / unit - ROUNDING) if new > old else floor(new / unit + ROUNDING)
    return Number(f"{old:.{digits}f}"), Number(f"{steps * unit:.{digits}f}")


def write_bound(value: float, *, up: bool = False) -> Number:
    """Write a number of at least 0 with three significant digits, at least three decimals, rounded down, or up.

    >>> write_bound(0.017524), write_bound(0.017524, up=True), write_bound(0.35719), write_bound(0.0)
    ('0.0175', '0.0176', '0.357', '0')
    """
    if value < MIN_DECIMAL:
        return number(value)
    digits = max(3, 2 - floor(log10(value)))
    steps = value * 10.0**digits
    return Number(f"{(ceil(steps - ROUNDING) if up else floor(steps + ROUNDING)) / 10.0**digits:.{digits}f}")


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table in Markdown: floats with six significant digits, and NO where something does not hold.

    >>> print(markdown_table(("x", "y"), [("a", 0.5), ("b", False)]))
    | x | y |
    |---|---|
    | a | 0.5 |
    | b | NO |
    """
    lines = [f"| {' | '.join(map(_write_cell, row))} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def _write_cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "NO"
    return significant(value, 6) if isinstance(value, float) else str(value)


def _decimal(value: float, rounded: Decimal, sign: str) -> Number:
    if rounded == 0:
        return Number("0" if value == 0 else ABOUT_ZERO)
    return _minus(f"{rounded:{sign}f}")


def _minus(text: str) -> Number:
    return Number(text.replace("-", "−"))
