"""How much one request may ask for."""

from __future__ import annotations

MAX_BODY_BYTES = 4 * 2**20  # of a request
MAX_DRAINED_BYTES = 64 * 2**20  # of a longer one: read and dropped, so that its sender hears why
MAX_ARGUMENTS = 5_000
MAX_EDGES = 50_000
MAX_COALITIONS = 1 << 23  # of an exact Shapley value on an acyclic graph
MAX_CONNECTED_SETS = 1 << 18  # coalitions on a cyclic graph, where each costs more
MAX_SAMPLED_COALITIONS = 20_000  # of a sampled Shapley value
MAX_NAMES = MAX_ARGUMENTS  # in one list: arguments to remove or to keep fixed, members of a group
MAX_INTERACTING_PLAYERS = 200  # an answer about interactions has a number for each two of them
MAX_DRAWS = 16_384  # rows of a table of uncertain base scores
MAX_PATHS = 200
MAX_TOPICS = 60  # of all pairs
MAX_NUMBERS_OF_PAIRS = 2_000_000  # in one answer about all pairs: topics² × arguments
MAX_TOPICS_IN_FIGURE = 12
MAX_ARGUMENTS_IN_PICTURE = 80  # above that the top contributors and their paths
MAX_ANSWER_SECONDS = 20.0
MAX_SEARCH_SECONDS = MAX_ANSWER_SECONDS / 2  # of flip, reach and reasons: what was found by then is the answer
MAX_WORKER_BYTES = 6 * 2**30  # address space of a worker
