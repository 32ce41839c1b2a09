"""The table of cases: what is done at which sizes, by whom, and against which limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from . import jobs, peers, sampled
from .jobs import Job

CHECKOUTS = {"uncertainpy": ("src", "uncertainpy.gradual"), "qbaf-py": (".", "qbaf")}  # the folder and the module in it
PACKAGES = {
    "formal-argumentation": "argumentation.gradual.dfquad",
    "shapiq": "shapiq",
    "shap": "shap",
    "captum": "captum.attr",
}
LIMIT = "limit"
TOOLS = ("qontrast", "plain loop", *PACKAGES, *CHECKOUTS, LIMIT)
NO_STRENGTHS = "it has no strengths of arguments; it explains functions"


@dataclass(frozen=True)
class Case:
    """One job at several sizes; with `exponential`, seconds are multiplied with each unit of size."""

    title: str
    unit: str
    sizes: tuple[int, ...]
    quick: tuple[int, ...]
    limit: str  # what the limit computes
    jobs: Mapping[str, Job] = field(default_factory=dict)
    exponential: bool = False
    absent: Mapping[str, str] = field(default_factory=dict)  # tool → why it has no job


SOLVERS = {
    "formal-argumentation": peers.jobs_of_a_solver(peers.solve_by_formal_argumentation),
    "uncertainpy": peers.jobs_of_a_solver(peers.solve_by_uncertainpy),
    "qbaf-py": peers.jobs_of_qbaf_py(),
}


def by_solvers(case: str) -> dict[str, Job]:
    return {tool: made[case] for tool, made in SOLVERS.items()}


def powers(first: int, last: int) -> tuple[int, ...]:
    return tuple(10**k for k in range(first, last + 1))


FUNCTIONS_ONLY = dict.fromkeys(("shapiq", "shap", "captum"), NO_STRENGTHS)
NO_SLOPES = dict.fromkeys(("shapiq", "shap"), "it has no slopes of a function without a model") | {
    "captum": "it needs the graph as a torch module"
}
NO_REMOVAL = dict.fromkeys(("shapiq", "shap"), "it has no removal of one player")
NO_BATCH = dict.fromkeys(("shapiq", "shap", "captum"), "it has no contrast of two topics; see shapley")
NO_NETWORKS = dict.fromkeys(("formal-argumentation", "uncertainpy", "qbaf-py"), "it has no networks") | dict.fromkeys(
    ("shapiq", "shap"), "it has no slopes of a network of NumPy arrays"
)
NO_SAMPLES = dict.fromkeys(("formal-argumentation", "uncertainpy", "qbaf-py"), "it has no estimate of Shapley values")

CASES = {
    "strengths": Case(
        "Strengths of a random acyclic graph with three parents each, df-quad, from lists of names",
        "arguments",
        (15, *powers(2, 6)),
        (15, 100, 1000),
        "one sparse product",
        {
            "qontrast": jobs.strengths,
            "plain loop": jobs.plain_strengths,
            **by_solvers("strengths"),
            LIMIT: jobs.one_product,
        },
        absent=FUNCTIONS_ONLY,
    ),
    "cyclic": Case(
        "Strengths of a random graph with cycles, df-quad, from lists of names",
        "arguments",
        powers(2, 5),
        (100, 1000),
        "one sparse product",
        {
            "qontrast": jobs.cyclic,
            "plain loop": jobs.plain_cyclic,
            **by_solvers("cyclic"),
            LIMIT: jobs.one_cyclic_product,
        },
        absent=FUNCTIONS_ONLY,
    ),
    "gradient": Case(
        "Slopes of one topic by all base scores, acyclic, qe",
        "arguments",
        powers(2, 6),
        (100, 1000),
        "two sparse products",
        {
            "qontrast": jobs.gradient,
            "plain loop": jobs.plain_gradient,
            **by_solvers("gradient"),
            LIMIT: jobs.two_products,
        },
        absent=NO_SLOPES,
    ),
    "removal": Case(
        "Removal of each argument, for one topic, acyclic, qe",
        "arguments",
        powers(2, 5),
        (100, 300),
        "one sparse product for each ancestor of the topic, in the graph of these",
        {
            "qontrast": jobs.removal,
            "plain loop": jobs.plain_removal,
            "captum": peers.removal_by_captum,
            **by_solvers("removal"),
            LIMIT: jobs.product_for_each,
        },
        absent=NO_REMOVAL,
    ),
    "shapley": Case(
        "Exact Shapley values of one topic, acyclic, qe",
        "players",
        (8, 10, 12, 14, 16, 20, 24, 28),
        (6, 8, 12),
        "np.exp of 2ⁿ numbers",
        {
            "qontrast": jobs.shapley,
            "plain loop": jobs.plain_shapley,
            "shapiq": peers.shapley_by_shapiq,
            "shap": peers.shapley_by_shap,
            "captum": peers.shapley_by_captum,
            **by_solvers("shapley"),
            LIMIT: jobs.exponentials,
        },
        exponential=True,
    ),
    "sampled": Case(
        f"Estimated Shapley values of {sampled.PLAYERS} players, acyclic, qe",
        "evaluations",
        (250, 500, 1000, 2000, 4000, 8000),
        (250, 1000),
        "none: errors are compared",
        absent=NO_SAMPLES,
    ),
    "pairs": Case(
        f"Contrasts of all pairs of topics among {jobs.PAIRS_AMONG:,} arguments, gradient, acyclic, qe",
        "topics",
        (2, 5, 10, 20, 50, 100, 200),
        (2, 10),
        "the subtractions alone",
        {"qontrast": jobs.pairs, "plain loop": jobs.plain_pairs, **by_solvers("pairs"), LIMIT: jobs.subtractions},
        absent=NO_SLOPES,
    ),
    "lanes": Case(
        f"Strengths of one graph of {jobs.LANES_OF:,} arguments for many rows of base scores, qe",
        "lanes",
        powers(1, 4),
        (10, 100),
        "one sparse product with as many columns",
        {"qontrast": jobs.lanes, "plain loop": jobs.plain_lanes, **by_solvers("lanes"), LIMIT: jobs.product_for_lanes},
        absent=FUNCTIONS_ONLY,
    ),
    "batch": Case(
        f"Contrasts by exact Shapley of many graphs of {jobs.BATCH_OF} arguments, qe",
        "graphs",
        powers(1, 4),
        (10,),
        "none",
        {"qontrast": jobs.batch, "plain loop": jobs.plain_batch, **by_solvers("batch")},
        absent=NO_BATCH,
    ),
    "audit": Case(
        "Flips of an 8–16–3 network, and mean |slope| and rank of each feature among them",
        "instances",
        powers(2, 6),
        (1000, 10_000),
        "one pass forward and back of all instances, in NumPy",
        {
            "qontrast": jobs.audit,
            "plain loop": jobs.plain_audit,
            "captum": peers.audit_by_captum,
            LIMIT: jobs.forward_and_back,
        },
        absent=NO_NETWORKS,
    ),
}
