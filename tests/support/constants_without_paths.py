"""Constants with tests of their own, and those that switch no path between two answers, by the reason why."""

from __future__ import annotations

LOOKS = "only where things stand in a picture, how large they are, or how much of it is drawn"
WORDS = "only how many names, rows or reasons a text lists, or the words that it chooses; tests of show/ read them"
SECONDS = "only how long something waits, or how often it reports"
REFUSES = "the default of a setting, or a limit beyond which the answer is a refusal; tests of settings are beside it"
EFFORT = "how much a search tries: what it finds is verified or proved by other code, whatever the effort"
CLAIM = "a tolerance of a claim or a comparison; tests of that claim stand on both sides of it"
NUMERIC = "a tolerance of an iteration or of rounding; a coarser one fails the comparison with the definitions"
RANDOM = "how random numbers are drawn; tests of standard errors hold whatever is drawn"
DATA = "a number that belongs to a file format, a study or a formula, and is compared with what it stands for"
MEMORY = "how much a GPU holds at a time; the stand-in backend of the tests has its own"
PAGE = "how much the page shows, sends or waits; nothing that it computes"

# reason → module → names
NO_PATH: dict[str, dict[str, str]] = {
    LOOKS: {
        "show.arcs": "END MAX_ARCS ROW",
        "show.bands": "BOLD NAME",
        "show.drawing": "FADED MAX_FILL TAG",
        "show.figures": "RESOLUTION",
        "show.fitting": "COLUMN PAGE_HEIGHT POINTS",
        "show.folding": "MAX_FOLDED MAX_OPENED STRONGEST",
        "show.html.audit": "LABEL_HEIGHT MAX_LABEL TYPE",
        "show.html.batch": "HEIGHT MAX_SOURCES",
        "show.html.interactive": "MAX_ARGUMENTS MAX_BYTES",
        "show.html.parts": "MAX_COLUMNS",
        "show.html.pictures": "MAX_BARS MIN_POINTS PRINTED_TOPICS",
        "show.layout": "GROUPED MAX_CYCLE_IN_ROW SWEEPS WIDEST WRITTEN",
        "show.legend": "SIZE",
        "show.mpl.axes": "LABELS LINE MANY_ROWS SLACK WIDTH",
        "show.mpl.bars": "SLIM_LABELS STEP_HEIGHT",
        "show.mpl.cells": "ROW_LABELS SMALLEST TURNED_LABEL",
        "show.mpl.changes": "HISTORY_HEIGHT",
        "show.mpl.edges": "MAX_EDGES ROW_HEIGHT TYPE",
        "show.mpl.fit": "NARROWEST PAD",
        "show.mpl.fonts": "MISSING",
        "show.mpl.graph": "ORDER",
        "show.mpl.interactions": "MAX_WIDTH",
        "show.mpl.topics": "BAR CURVES MAX_WIDTH",
        "show.mpl.uncertainty": "THINNEST UPPER_HEIGHT",
        "show.packing": "MIN_PACKED",
        "show.placing": "APART BEND NEIGHBOURS",
        "show.scene": "BOLD MAX_FITTED MAX_SCENE_ARGUMENTS",
        "show.svg.bars": "MARGIN",
        "show.svg.graph": "GHOST MARGIN PIXELS",
        "show.terminal": "WIDE",
        "cli.output": "BAR_WIDTH PIPE_COLUMNS",
        "web.page": "MAX_BOX_WIDTH",
        "explain.histogram": "CURVE_WIDTH MIN_BIN_WIDTH MIN_SD",
        "explain.uncertainty": "BINS",
    },
    WORDS: {
        "show.axiom_texts": "DIGITS",
        "show.change_texts": "MAX_NAMES MAX_REASONS",
        "show.descriptions": "MAX_CONTRIBUTIONS MAX_ITEMS MAX_MOVES MAX_MOVING",
        "show.html.order": "MAX_EVALUATIONS MAX_MINUTES MAX_PLAYERS",
        "show.html.report": (
            "MAX_BYTES MAX_DRAWN_LANES MAX_EVALUATIONS MAX_LINKED_PLAYERS MAX_MEMBERS MAX_OPENED MAX_ROWS"
        ),
        "show.interaction_texts": "MAX_INTERACTIONS MIN_INTERACTION MIN_INTERACTION_SHARE",
        "show.narrative": (
            "MAX_CANCELLED_SHARE MAX_KINKS MAX_OVERLOOKED_SHARE MIN_REASON_SHARE MIN_STRONG_SHARE SUM_TOLERANCE"
        ),
        "show.frames": "SUM_TOLERANCE",
        "show.numbers": "GOOD_DIGITS MAX_DIGITS MIN_DECIMAL ROUNDING SHOWN_AS_ZERO",
        "show.player_texts": "MAX_ARGUMENTS MAX_GROUPS",
        "show.presentation": "MAX_DRAWN_ARGUMENTS MAX_ROWS",
        "show.reach_texts": "MAX_KEPT MAX_MOVES",
        "show.reason_texts": "MAX_TOLD_MEMBERS MAX_TOLD_SETS",
        "show.robustness_texts": "MAX_NAMES",
        "show.semantics_texts": "MAX_REASONS",
        "show.uncertainty_texts": "MAX_SAMPLES MAX_SOURCES MIN_SHARE NEAR NEARLY_ALL",
        "cli.commands.batch": "MAX_NOTES",
        "cli.commands.check": "MAX_NAMES",
        "engine.discrete": "LAST_STEPS",
        "explain.change_sets": "MAX_UNDEFINED_LISTED UNDEFINED",
        "formats.building": "MAX_EXCERPT_CHARACTERS",
        "formats.strict_json": "MAX_CHARACTERS_WITH_LINES",
        "graph.labels": "MAX_CHARACTERS",
        "questions.many": "REASONS",
        "questions.topics": "MAX_CANDIDATES",
        "settings": "MAX_VALUE_LENGTH",
    },
    SECONDS: {
        "engine.workers": "SECONDS_TO_CONNECT",
        "explain.change_elements": "TASKS_PER_REPORT",
        "explain.history": "PARTS_PER_STEP",
        "explain.reasons_search": "ASSUMED_STEPS LANES_PER_PIECE_SENT PERCENT",
        "explain.search_clock": "PERCENT",
        "formats.many": "BYTES_PER_COUNT",
        "questions.many": "MAX_GRAPHS_PER_TASK SECONDS_PER_TASK TIME_LIMIT",
        "web.jobs": "LOW_PRIORITY MAX_REMEMBERED MAX_START_SECONDS MAX_STOP_SECONDS MAX_WAITING",
        "web.server": "CLIENT_GONE MAX_BODY_SECONDS",
    },
    REFUSES: {
        "attribution.cost": (
            "MAX_ARGUMENTS_UNSORTED MAX_MINUTES SECONDS_PER_UPDATE SPEED_OF_DEVICE UPDATES_PER_COALITION "
            "UPDATES_PER_COMPILED_NUMBER UPDATES_PER_VISIT"
        ),
        "attribution.downstream": "UPDATES_PER_GROUP UPDATES_PER_PAIR",
        "attribution.shapley.sampling": "UPDATES_PER_MEMBER WORDS_PER_UPDATE WORK_PER_UPDATE",
        "attribution.shapley.exact": "MAX_EVALUATIONS",
        "attribution.shapley.owen": "MAX_EVALUATIONS",
        "auditing.audit": "DEFAULT_LIMIT",
        "axioms.evaluation": "MAX_EVALUATIONS",
        "engine.problem": "MAX_STEPS",
        "explain.change": "BUDGET",
        "explain.contrast": "MAX_EXCESS_EVALUATIONS",
        "explain.flip": "MARGIN TIME_LIMIT",
        "explain.reach": "TIME_LIMIT",
        "explain.reasons": "MAX_SETS TIME_LIMIT",
        "explain.robustness": "MAX_BOXES TIME_LIMIT TOLERANCE",
        "explain.uncertainty": "MAX_EVALUATIONS MIN_SAMPLES SAMPLES",
        "formats.disk": "MAX_LINKS",
        "graph.distributions": "MAX_BETA",
        "graph.validation": "MAX_WEIGHT",
        "web.agents": "MAX_NAME",
        "web.limits": (
            "MAX_ANSWER_SECONDS MAX_ARGUMENTS MAX_ARGUMENTS_IN_PICTURE MAX_BODY_BYTES MAX_COALITIONS "
            "MAX_CONNECTED_SETS MAX_DRAINED_BYTES MAX_DRAWS MAX_EDGES MAX_INTERACTING_PLAYERS MAX_NAMES "
            "MAX_NUMBERS_OF_PAIRS MAX_PATHS MAX_SAMPLED_COALITIONS MAX_SEARCH_SECONDS MAX_TOPICS "
            "MAX_TOPICS_IN_FIGURE MAX_WORKER_BYTES"
        ),
    },
    EFFORT: {
        "axioms.change_properties": "MAX_CHANGED SAMPLES",
        "axioms.random_graphs": "GRAPHS_PER_BATCH",
        "axioms.search": "MAX_STEPS MAX_WEIGHT",
        "engine.balance": "LEAST_WEIGHT MAX_WEIGHTINGS",
        "explain.change_sets": "MAX_SMALL_SET MAX_SMALL_SETS",
        "explain.flip": "MAX_BOXES MAX_PROVED_VARIABLES",
        "explain.flip_removals": "MAX_CANDIDATES SCORES_SHARE",
        "explain.reach": "MAX_LARGE_PROOF MAX_VARIABLES SEARCH_SHARE",
        "explain.reach_fewest": "MAX_CORNERS MAX_SETS",
        "explain.reach_proof": "CANDIDATES MAX_BOXES MIN_WIDTH NUMBERS_PER_ROUND",
        "explain.reach_relaxation": "BISECTIONS",
        "explain.reach_search": (
            "MAX_GRID MAX_PRESS_STEPS MAX_PUT_BACK MAX_RANDOM MAX_REFINEMENTS MAX_ROUNDS MAX_SCANS MAX_SHORTENED "
            "MAX_SHORTENINGS MIN_RADIUS MIN_RANDOM NEAR NUMBERS_PER_ROUND SLOW STARTS_PER_KIND"
        ),
        "explain.reach_steps": (
            "LEAST_PRICE LEAST_SQUARED MAX_ASCENTS MAX_BISECTIONS MAX_LEAST_SQUARES MAX_MULTIPLIER SLACK_PRICE"
        ),
        "explain.reach_trials": "ASSUMED_STEPS EXACT LEAST_GAIN LEAST_LOSS ROUNDED",
        "explain.reach_variables": "WEIGHT_RANGE",
        "explain.reasons_proof": "MAX_PARTS PARTS_PER_PASS",
        "questions.question": "MAX_BOXES_OF_ORDER MAX_FOLLOWED_STEPS",
    },
    CLAIM: {
        "auditing.measures": "EQUAL_DIGITS",
        "axioms.axiom": "STRICT_FACTOR",
        "axioms.evaluation": "ACYCLIC_TOLERANCE CYCLIC_TOLERANCE NUMERIC_TOLERANCE SLOPE_TOLERANCE",
        "engine.balance": "MAX_APART MAX_RATE NEIGHBOUR_DISTANCE",
        "engine.scalar": "KINK_TOLERANCE",
        "explain.flip": "TOLERANCE",
        "explain.goals": "EQUALITY",
        "explain.paths": "SLOPE_TOLERANCE",
        "explain.uncertain_lanes": "SURE",
        "results.base": "TIE_TOLERANCE",
        "semantics": "TIE_TOLERANCE",
        "standard_errors": "COVERED",
    },
    NUMERIC: {
        "attribution.device_slopes": "SERIES_END",
        "attribution.list_slopes": "MAX_BEND SLOPE_TOLERANCE",
        "attribution.shapley.exact": "ROUNDING",
        "attribution.shapley.regression": "ITERATION_TOLERANCE MAX_ITERATIONS MAX_REFINEMENTS MAX_WORK REFINED RIDGE",
        "engine.continuous": (
            "AT_REST MAX_NEWTON_STEPS MAX_POLISH MAX_SMALL_STEPS MAX_SPEED NEAR ROUNDING SMALL_STEPS_PER_DIGIT "
            "STEP_ERROR"
        ),
        "engine.discrete": "TOLERANCE",
        "engine.intervals": "RELATIVE_ROUNDING ROUNDING",
        "engine.problem": "ROUNDING",
        "engine.scalar": "ROUNDING",
        "explain.contrast": "RELATIVE_ROUNDING",
        "explain.reach_relaxation": "ROUNDING",
        "finite_differences": "KINK STEP",
        "studies.page": "ROUNDING",
    },
    RANDOM: {
        "attribution.shapley.sampling": (
            "EVALUATIONS_PER_PLAYER JACKKNIFE_GROUPS MAX_MEMBERS_HELD MIN_EVALUATIONS MIN_ORDERS "
            "MIN_PLAYERS_DRAWN_TOGETHER PAIRS_PER_DRAW"
        ),
        "engine.balance": "GOLDEN_RATIO",
        "explain.uncertain_lanes": "MAX_SLICES MIN_SAMPLES_PER_SLICE",
        "standard_errors": "IMAGINED_DRAWS",
    },
    DATA: {
        "explain.change_elements": "NEVER",
        "formats.building": "DEFAULT_BASE_SCORE",
        "formats.kpa": "BASE_SCORE WEIGHT",
        "formats.qbaf_json": "MAX_DIGITS MAX_EDGES MAX_STEPS ROUNDING",
        "questions.journal": "LAYOUT MISSING",
        "studies.compas.experiment": "TOGETHER VERSION",
        "studies.properties": "GRAPHS",
        "studies.recovery": "ABSENT",
    },
    MEMORY: {"engine.backend": "LARGE_MEMORY MAX_PINNED_BYTES"},
    PAGE: {
        "api.js": "MAX_SECONDS PATIENCE",
        "banner.js": "LONGEST",
        "box.js": "GAP",
        "change.js": "MOST",
        "draw.js": "FAR MANY NEAR",
        "edit.js": "FEW PAGE",
        "flip.js": "MARGIN",
        "levels.js": "LEAP STEP",
        "look.js": "LARGE MOST MOST_ON_A_PHONE",
        "main.js": "LARGE REST SOON",
        "next.js": "MANY",
        "past.js": "MAX_FRAGMENT MAX_KEPT",
        "quick.js": "MOST ROWS",
        "reach.js": "MOST_GOALS MOST_LOCKS",
        "restore.js": "MOST",
        "scores.js": "MOST WIDTH",
        "state.js": "JOIN",
        "sure.js": "HEAD HEIGHT SAMPLES WIDTH",
        "tips.js": "SECONDS",
        "together.js": "MOST",
        "turns.js": "SLICE",
        "view.js": (
            "ALMOST_ALL LARGEST LARGEST_AT_FIRST MAP_HEIGHT MAP_WIDTH MOSTLY READABLE SMALLEST SMALLEST_TYPE STEP"
        ),
    },
}

# constants → the test that tries them, which names them
ELSEWHERE: dict[str, str] = {
    "attribution.inputs.COALITIONS_PER_TASK": "laws/test_thresholds.py",
    "attribution.shapley.coalitions.COALITIONS_PER_BLOCK": "laws/test_thresholds.py",
    "attribution.defaults.MAX_OUT_DEGREE": "laws/test_edge_methods.py",
    "attribution.defaults.MAX_SOURCES": "laws/test_edge_methods.py",
    "attribution.derived_graphs.MAX_LINE_EDGES": "surfaces/test_hints.py",
    "attribution.inputs.LANES": "laws/networks/test_network.py",
    "attribution.inputs.MAX_INPUTS": "laws/networks/test_network_settings.py",
    "attribution.inputs.ROWS_PER_TASK": "laws/test_executors.py",
    "attribution.cost.WARN_ABOVE": "laws/test_cost.py",
    "attribution.removal.MAX_UPDATES_UNCOUNTED": "laws/test_cost.py",
    "attribution.removal.NUMBERS_PER_TASK": "laws/test_cost.py",
    "attribution.shapley.exact.NUMBERS_PER_BLOCK": "laws/test_cost.py",
    "attribution.shapley.regression.MAX_SETS": "laws/test_sampled.py",
    "attribution.shapley.regression.SETS_PER_EVALUATION": "laws/test_sampled.py",
    "attribution.shapley.sampling.MAX_ORDERS": "laws/test_sampled.py",
    "attribution.shapley.sampling.MIN_BUDGET": "laws/test_sampled.py",
    "attribution.shapley.sampling.SETS_PER_EVALUATION": "laws/test_sampled.py",
    "auditing.measures.MAX_PROTECTED_VALUES": "laws/test_thresholds.py",
    "auditing.measures.ROWS_PER_TASK": "laws/test_executors.py",
    "cli.output.SECONDS_BETWEEN_UPDATES": "surfaces/cli/test_cli_progress.py",
    "cli.output.SECONDS_UNTIL_SHOWN": "surfaces/cli/test_cli_progress.py",
    "engine.backend.MAX_TASKS_AHEAD": "laws/test_many.py",
    "engine.lane_slopes.MAX_DENSE_SIZE": "laws/test_lane_slopes.py",
    "explain.change_sets.MAX_TABLE_UNITS": "laws/test_change.py",
    "explain.flip_removals.MAX_SETS": "laws/test_flip.py",
    "explain.paths.MAX_SIMPLE_PATHS": "laws/test_thresholds.py",
    "explain.reach_proof.BOXES_PER_TASK": "laws/test_executors.py",
    "explain.reach_search.AIM": "laws/test_flip.py",
    "explain.reach_task.FEASIBILITY": "laws/test_reach_proof.py",
    "explain.reach_trials.STRENGTHS_PER_PIECE": "laws/test_flip.py",
    "explain.reasons_search.MAX_SETS_PER_SIZE": "laws/test_reasons.py",
    "formats.csv_tables.MAX_CELL_CHARACTERS": "surfaces/formats/test_format_limits.py",
    "formats.disk.MAX_BYTES": "surfaces/formats/test_format_limits.py",
    "formats.graphml.MAX_CHARACTERS": "surfaces/formats/test_format_limits.py",
    "formats.iccma.MAX_ARGUMENTS": "surfaces/formats/test_format_rules.py",
    "formats.kialo.MAX_DEPTH": "surfaces/formats/test_format_limits.py",
    "networks.layers.MAX_BIAS": "laws/test_thresholds.py",
    "questions.batch.MAX_PAGE_ROWS": "surfaces/cli/test_cli_batch.py",
    "questions.batch.ROWS_PER_GROUP": "surfaces/cli/test_cli_batch.py",
    "questions.many.MAX_BOXES": "surfaces/cli/test_batch_continues.py",
    "results.base.MAX_REPR_LENGTH": "surfaces/test_results.py",
    "scalar_formulas.MAX_EXPONENT": "laws/test_thresholds.py",
    "show.html.batch.MAX_COLUMNS": "surfaces/cli/test_cli_batch.py",
    "show.html.batch.MAX_ERRORS": "surfaces/cli/test_cli_batch.py",
    "web.jobs.QUICK_SECONDS": "surfaces/web/test_web_jobs.py",
    "web.launch.MAX_HEADER_SECONDS": "surfaces/web/test_web_jobs.py",
}
