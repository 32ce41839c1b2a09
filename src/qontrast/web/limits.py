"""How much one request may ask for."""

from __future__ import annotations

from ..errors import TooLarge
from ..graph.qbaf import Qbaf

BODY = 4 * 2**20  # bytes of a request
DRAINED = 64 * 2**20  # bytes of a longer one that are read and dropped, so that its sender hears why
ARGUMENTS = 5_000
EDGES = 50_000
COALITIONS = 1 << 23  # of an exact Shapley value on an acyclic graph
CONNECTED = 1 << 18  # on a cyclic one, where each costs more
BUDGET = 20_000  # coalitions of a sampled one
PATHS = 200
TOPICS = 60  # of all pairs
NUMBERS = 2_000_000  # in one answer about all pairs: topics² × arguments
PLOTTED = 12  # topics in a figure
DRAWN = 80  # arguments in one picture; above that the top contributors and their paths
SECONDS = 20.0
FLIP_SECONDS = SECONDS / 2  # of a search for what would flip the answer: what it found by then is the answer
MEMORY = 6 * 2**30  # address space of a worker


def check_size(qbaf: Qbaf) -> Qbaf:
    """Return the graph if it is not larger than what the server takes."""
    if len(qbaf) > ARGUMENTS or len(qbaf.weights) > EDGES:
        raise TooLarge(
            f"{len(qbaf):,} arguments and {len(qbaf.weights):,} edges; this server takes up to {ARGUMENTS:,} and "
            f"{EDGES:,}: cut the graph down, or use the library or the command line"
        )
    return qbaf
