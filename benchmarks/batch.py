"""Thousands of graphs of 15 arguments, with exact Shapley values: how many a second, and how much memory.

The plain loop does the same for the same lines of JSON with the functions for one graph. Times of two processes are
wall time; the figure for 10,000 graphs is that of a part, times the number of such parts.
"""

from __future__ import annotations

import os
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import qontrast as qx
from qontrast import Qbaf
from qontrast.questions.batch import Batch
from qontrast.questions.many import make_asked

from .engine import Figure

GRAPHS, ALL = 2000, 10_000
ROUNDS = 15  # the best of so many, since the difference is small


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graphs.jsonl")
        write_graphs(path, GRAPHS)
        yield overhead(path)
        yield rate(path)
        yield memory(Path(folder))


def make_graph(seed: int) -> Qbaf:
    """An acyclic graph of 15 arguments; the last two are the topics, and most others act on them."""
    rng = np.random.default_rng(seed)
    names = [f"a{i}" for i in range(15)]
    parents = {j: rng.choice(j, min(j, 3), replace=False) for j in range(1, 15)}
    edges = {(names[i], names[j]): rng.uniform(0.2, 1.0) for j, found in parents.items() for i in found.tolist()}
    attacks = {edge for edge in edges if rng.random() < 0.5}
    return Qbaf(
        dict(zip(names, rng.random(15).tolist(), strict=True)),
        attacks={edge: weight for edge, weight in edges.items() if edge in attacks},
        supports={edge: weight for edge, weight in edges.items() if edge not in attacks},
        topics=names[-2:],
    )


def write_graphs(path: Path, number: int, different: int = GRAPHS) -> None:
    lines = [qx.write_text(make_graph(seed)).replace("\n", " ") for seed in range(min(number, different))]
    with path.open("w", encoding="utf-8") as file:
        for place in range(number):
            file.write(lines[place % different] + "\n")


def explain_plainly(lines: list[str]) -> None:
    for line in lines:
        q = qx.read_text(line, "json")
        found = qx.strengths(q)
        fact, foil = sorted(q.topics, key=lambda topic: -found[topic])
        why = qx.contrast(q, fact, foil)
        _ = why.gap, why.ranked()[:3]


def overhead(path: Path) -> Figure:
    lines = path.read_text(encoding="utf-8").splitlines()[:100]
    part = path.with_name("part.jsonl")
    part.write_text("\n".join(lines), encoding="utf-8")
    times = []
    for _ in range(ROUNDS):
        began = process_time()
        explain_plainly(lines)
        middle = process_time()
        assert all(each.error is None for each in qx.explain_many(part))
        times.append((middle - began, process_time() - middle))
    plain, many = (min(each) / len(lines) * 1e3 for each in zip(*times, strict=True))
    line = f"many graphs of 15 arguments, exact Shapley: {many:.2f} ms each, of which explain_many adds"
    return f"{line} {many - plain:+.2f} ms (target ≤ 0.2)", many - plain <= 0.2


def rate(path: Path) -> Figure:
    used = -measure_processors()
    with qx.workers(2) as executor:
        list(qx.explain_many(path.with_name("part.jsonl"), executor=executor))  # the processes start
        began = perf_counter()
        run = make_batch(path).run(executor)
        seconds = (perf_counter() - began) * ALL / run.graphs
    used = (used + measure_processors()) * ALL / run.graphs
    assert (run.graphs, run.failed) == (GRAPHS, 0)
    line = f"batch of {ALL:,} such graphs in two processes: {seconds:.1f} s, {used:.1f} s of processor time"
    return f"{line} (target < 20 s)", seconds < 20


def measure_processors() -> float:
    """Seconds of processor time of this process and of its children that have ended."""
    found = os.times()
    return found.user + found.system + found.children_user + found.children_system


def make_batch(path: Path) -> Batch:
    asked = make_asked(
        None,
        None,
        method="shapley",
        players="arguments",
        semantics=None,
        solver="discrete",
        max_steps=10_000,
        pairs="strongest",
        reasons=3,
        robustness=False,
        time_limit=None,
    )
    return Batch(paths=[str(path)], out=path.with_suffix(".csv"), asked=asked)


def memory(folder: Path) -> Figure:
    peaks = []
    for number in (300, 1000):
        write_graphs(folder / "some.jsonl", number, different=50)
        tracemalloc.start()
        make_batch(folder / "some.jsonl").run()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    ratio = peaks[1] / peaks[0]
    return f"memory of a batch of 1,000 graphs against one of 300: {ratio:.2f} (target ≤ 1.2)", ratio <= 1.2
