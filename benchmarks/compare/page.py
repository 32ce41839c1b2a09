"""Write the page docs/bench.md from the numbers of one run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from . import tables
from .cases import CASES
from .jobs import BATCH_OF, LANES_OF
from .run import Row
from .tables import OURS, PEERS, format_seconds, select

BILLION = 10**9
SECONDS_OF_A_DAY = 86_400
CORES = 1000  # of the cluster on paper

BEFORE = """# How fast, and compared with what

*This page is written by `python docs/bench.py` from the numbers of one run of the bench.*

```sh
make bench
python docs/bench.py
```

The bench does the same jobs with qontrast, with a plain Python loop and with other libraries, and checks that their
numbers agree. All start from the same lists of names, each in a process of its own, on one core and for at most
{limit:g} seconds in each case. This run was on {machine}, on {date}, with Python {python}{versions}.
Another machine, or the same one on another day, gives other seconds; ratios hold within one run.{busy}

- *plain loop* is what one writes first, without a library: loops over dictionaries (`benchmarks/compare/plain.py`). Its
  gradient is a reverse sweep, not a finite difference.
- *formal-argumentation*, *Uncertainpy* and *QBAF-Py* compute strengths by themselves. What they have no function for is
  done by definition with their strengths: slopes by differences, removal and Shapley values by solving every sub-graph.
  formal-argumentation iterates under `qe` also where there is no cycle. Uncertainpy and QBAF-Py are measured where a
  checkout is given: `make bench BENCH="--peer uncertainpy=PATH --peer qbaf-py=PATH"`.
- *shapiq*, *shap* and *captum* explain any function. They get qontrast's strengths of many coalitions at once as
  their function, so their columns compare what they do around it, not how strengths are computed.
- *limit* is what the numbers alone cost in one call of NumPy or SciPy, without names, checks and order.
"""

COMPARISON = """## The comparison

The column qontrast has seconds, and MiB how much the process grew; memory that it had freed before and used again is
not seen, so small graphs show 0. *Of the limit* is how many times the seconds of the limit these are. The other columns
say how many times qontrast's seconds another tool takes: above 1 qontrast is faster, below 1 the other tool is.

"""

PICTURES = """## In pictures

![Seconds against the size of the graph](bench-graphs.svg)

![Seconds against players, topics, lanes, graphs and instances](bench-games.svg)
"""

ESTIMATES = """## Estimates of Shapley values

The error is the root mean square over players and three seeds, against exact values. A tool is better if it is lower at
the same evaluations; if evaluations are cheap, if it is lower after the same seconds.

![Error against evaluations and against seconds](bench-sampled.svg)

"""

GROWTH = """## Growth

Fitted to the largest three sizes that each tool reached: seconds ≈ c · sizeᵉ, and for Shapley values seconds ≈ c · fⁿ.
Where sizes are small, calls cost more than numbers, and the exponent is too low.

"""


def write_page(data: dict[str, Any]) -> str:
    """Write the whole page."""
    rows = data["rows"]
    cases = [case for case in CASES if select(rows, case=case)]
    jobs = "".join(f"- *{case}*: {CASES[case].title}. Limit: {CASES[case].limit}.\n" for case in cases)
    head = ("case", OURS, "MiB", "of the limit", *PEERS)
    growth_head = ("growth of the seconds", OURS, "limit", *PEERS)
    tools = [tool for tool in (OURS, *PEERS) if select(rows, case="sampled", tool=tool)]
    parts = [
        BEFORE.format(**data | {"versions": list_versions(data), "busy": f" {data['note']}".rstrip()}),
        COMPARISON + jobs,
        tables.write_table(head, tables.list_comparisons(rows, cases)),
        "## Where another tool is faster\n\n" + "\n".join(list_losses(rows)) + "\n",
        PICTURES,
        ESTIMATES + tables.write_table(("evaluations", *tools), tables.list_errors(rows)),
        GROWTH + tables.write_table(growth_head, tables.list_growth(data["growth"], cases)),
        "## On paper: a billion graphs, a billion coalitions\n\n" + "\n".join(count_a_billion(rows)),
        "## What is missing, and where numbers differ\n\n" + "\n".join(tables.list_reasons(rows)) + "\n",
    ]
    if data["targets"]:
        lines = ([each["line"].strip(), tables.mark(each)] for each in data["targets"])
        parts.append("## Targets\n\n" + tables.write_table(("figure", "met"), lines))
    return "\n".join(parts)


def list_versions(data: dict[str, Any]) -> str:
    named = [f"{tool} {version}" for tool, version in data["versions"].items()]
    return ", " + ", ".join([f"qontrast {data['version']}", *named[:-1]]) + (f" and {named[-1]}" if named else "")


def list_losses(rows: list[Row]) -> Iterator[str]:
    """Say plainly where a tool took fewer seconds than qontrast, or had a smaller error."""
    found = False
    for case, entry in CASES.items():
        for tool in PEERS:
            ratios = dict(find_ratios(rows, case, tool))
            better = [size for size, ratio in ratios.items() if ratio < 1]
            if better:
                found = True
                places = ", ".join(f"{size:,} ({ratios[size]:.2g} ×)" for size in better)
                yield f"- *{case}*: {tool}, at {places} {entry.unit}{tell_error(rows, case, tool, better)}"
    for row in select(rows, case="sampled"):
        ours = select(rows, case="sampled", tool=OURS, size=row["size"])
        if row["tool"] != OURS and ours and row["error"] < ours[0]["error"]:
            found = True
            yield f"- *sampled*: the error of {row['tool']} is smaller at {row['size']:,} evaluations"
    for tool in PEERS:
        sooner = list(find_sooner(rows, tool))
        if sooner:
            found = True
            (theirs, ours) = sooner[-1]
            yield (
                f"- *sampled*: {tool} has an error of {theirs['error']:.1e} after {format_seconds(theirs['seconds'])},"
                f" where qontrast has {ours['error']:.1e} after {format_seconds(ours['seconds'])}"
            )
    if not found:
        yield "Nowhere in this run."


def find_sooner(rows: list[Row], tool: str) -> Iterator[tuple[Row, Row]]:
    """Find estimates of a tool that have a smaller error after fewer seconds than one of ours."""
    for ours in select(rows, case="sampled", tool=OURS):
        for theirs in select(rows, case="sampled", tool=tool):
            if theirs["error"] < ours["error"] and theirs["seconds"] < ours["seconds"]:
                yield theirs, ours


def find_ratios(rows: list[Row], case: str, tool: str) -> Iterator[tuple[int, float]]:
    ours = {row["size"]: row["seconds"] for row in select(rows, case=case, tool=OURS)}
    for row in select(rows, case=case, tool=tool):
        if row["size"] in ours:
            yield row["size"], row["seconds"] / max(ours[row["size"]], 1e-9)


def tell_error(rows: list[Row], case: str, tool: str, sizes: Iterable[int]) -> str:
    """For estimates, say how the error compares at the largest of these sizes."""
    if case != "sampled":
        return ""
    size = max(sizes)
    ours, theirs = (select(rows, case=case, tool=each, size=size)[0]["error"] for each in (OURS, tool))
    return f"; its error is {theirs / ours:.2g} × ours at {size:,}"


# -- on paper -----------------------------------------------------------------------------------------------------


def count_a_billion(rows: list[Row]) -> Iterator[str]:
    """Extrapolate from what one core did in this run; nothing of it was run."""
    yield (
        "Nothing in this part was run: it is arithmetic with the figures of one core above, and leaves out what\n"
        "workers lose to start, to wait and to send. *With half lost* doubles the cores or the seconds.\n"
        f"The cluster has {CORES:,} cores.\n"
    )
    if batch := find_largest(rows, "batch"):
        rate = batch["size"] / batch["seconds"]
        yield from count_graphs(rate, f"{batch['size']:,} graphs in {format_seconds(batch['seconds'])} (*batch*)")
    elif game := select(rows, case="shapley", tool=OURS, size=BATCH_OF - 1):
        how = f"two topics of {BATCH_OF - 1} players in {format_seconds(game[0]['seconds'])} each (*shapley*)"
        yield from count_graphs(1 / (2 * game[0]["seconds"]), how)
    if game := find_largest(rows, "shapley"):
        count = 2 ** game["size"]
        how = f"2^{game['size']} = {count:,} coalitions in {format_seconds(game['seconds'])} (*shapley*)"
        yield from count_coalitions("of one graph, exact", count / game["seconds"], how)
    if lanes := find_largest(rows, "lanes"):
        how = f"{lanes['size']:,} lanes in {format_seconds(lanes['seconds'])} (*lanes*)"
        yield from count_coalitions(f"of {LANES_OF:,} arguments, sampled", lanes["size"] / lanes["seconds"], how)


def find_largest(rows: list[Row], case: str) -> Row | None:
    return max(select(rows, case=case, tool=OURS), key=lambda row: row["size"], default=None)


def count_graphs(rate: float, how: str) -> Iterator[str]:
    needed = BILLION / SECONDS_OF_A_DAY
    cores = math.ceil(needed / rate)
    yield (
        f"- **10⁹ graphs of {BATCH_OF} arguments a day**, with a contrast by exact Shapley each.\n"
        f"  {how}: {rate:,.0f} graphs a second and core.\n"
        f"  10⁹ / {SECONDS_OF_A_DAY:,} s = {needed:,.0f} graphs a second.\n"
        f"  {needed:,.0f} / {rate:,.0f} → {cores:,} cores, or {2 * cores:,} with half lost.\n"
    )


def count_coalitions(what: str, rate: float, how: str) -> Iterator[str]:
    alone = BILLION / rate
    yield (
        f"- **10⁹ coalitions {what}**.\n"
        f"  {how}: {rate:,.0f} a second and core.\n"
        f"  10⁹ / {rate:,.0f} = {format_seconds(alone)} on one core.\n"
        f"  On {CORES:,} cores {format_seconds(alone / CORES)}, with half lost {format_seconds(2 * alone / CORES)}.\n"
    )
