"""What `make demo` shows: the paper's opening question, a graph, its strengths."""

from __future__ import annotations

from .qbaf import Qbaf
from .solve import strengths

ZEBRA = Qbaf(
    {"zebra": 0.5, "horse": 0.5, "tiger": 0.5, "stripes": 0.5, "herbivore": 0.5},
    attacks=[("stripes", "horse"), ("herbivore", "tiger")],
    supports=[("stripes", "zebra"), ("herbivore", "zebra"), ("herbivore", "horse"), ("stripes", "tiger")],
    topics=["zebra", "horse", "tiger"],
    semantics="df-quad",
)


def main() -> None:
    print(ZEBRA)
    print(strengths(ZEBRA))


if __name__ == "__main__":
    main()
