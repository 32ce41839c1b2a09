"""Cost before work: what each method counts, whether it runs, warns or refuses, and how soon it says so."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from time import process_time

import numpy as np

from qontrast import METHODS, Qbaf, SlowWarning, TooLarge
from qontrast.attribution.cost import check_cost
from qontrast.attribution.players import Arguments
from qontrast.engine.problem import make_problem

from .engine import Figure, random_dag

MAX_SECONDS = 2.0  # until the word comes


def make_chain(n: int, closed: bool = False) -> Qbaf:
    sources = np.arange(n if closed else n - 1)
    return Qbaf.from_arrays(np.full(n, 0.5), sources, (sources + 1) % n, np.where(sources % 2, -0.7, 0.7))


def figures() -> Iterator[Figure]:
    print("cost before work: the topic is the last argument")
    graphs = {
        "chain of 10,000": lambda: make_chain(10_000),
        "chain of 100,000": lambda: make_chain(100_000),
        "cycle of 100,000": lambda: make_chain(100_000, closed=True),
        "random graph of 10,000": lambda: Qbaf.from_arrays(*random_dag(10_000)),
    }
    for title, make in graphs.items():
        for method, entry in METHODS.items():
            if "arguments" in entry.players:
                seconds, said = ask(make(), method)
                yield f"  {title}, {method}: {seconds:.2f} s until it {said}", seconds <= MAX_SECONDS


def ask(q: Qbaf, method: str) -> tuple[float, str]:
    """The seconds of this process until a method begins, warns or refuses, and what it says; strengths are known."""
    problem, topics = make_problem(q, "qe"), (len(q) - 1,)
    problem.strengths()
    began = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error", SlowWarning)
        try:
            check_cost(METHODS[method].make(), METHODS, problem, topics, Arguments(q))
        except TooLarge as error:
            return process_time() - began, f"refuses: {error}"
        except SlowWarning as warning:
            return process_time() - began, f"warns: {warning}"
    return process_time() - began, "begins"
