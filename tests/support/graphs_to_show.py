"""Graphs and contrasts that the tests of `show` share."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import qontrast as qx

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert('x')</script> & \"quotes\" $100$ \x00"


@cache
def healthcare() -> qx.Qbaf:
    return qx.examples.load("healthcare")


@cache
def treatment(method: str = "shapley") -> qx.Contrast:
    return qx.contrast(healthcare(), "antiviral", "antibiotic", method=method)


@cache
def kinked() -> qx.Contrast:
    """Attack and support of t are equal and its base score is not 1/2: no slope exists in a and b."""
    q = qx.Qbaf(
        {"t": 0.3, "u": 0.6, "a": 0.5, "b": 0.5, "c": 0.2},
        attacks=[("a", "t"), ("c", "u")],
        supports=[("b", "t"), ("a", "u")],
    )
    return qx.contrast(q, "t", "u", method="gradient", semantics="df-quad")


def evil() -> qx.Qbaf:
    names = {EVIL: 0.5, "b": 0.25, "t<u>": 0.5}
    return qx.Qbaf(names, attacks=[(EVIL, "t<u>")], supports=[(EVIL, "b")], labels={"b": EVIL}, topics=["t<u>", "b"])


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in (each.get("class") or "").split()]
