# make demo       see it work
# make test       lint, types, import rules, doctests and tests: what a change must pass
# make test-heavy the same tests with torch, Dask, shap, shapiq, ONNX, Graphviz, a browser and the built wheel, in
#                 random order; nothing is skipped, and they must execute the share of lines that pyproject.toml names
# make test-machines the light tests as other machines would run them: other processors, the oldest and the newest NumPy
#                 and SciPy, Python 3.11 and 3.13; a part: MACHINES="SkylakeX oldest" TESTS="tests/laws tests/numbers"
# make soak       100,000 hostile requests to the explorer's server
# make mutants    plant defects and count those that the tests notice: SAMPLE=300 SEED=1, in one part: PACKAGE=engine
# make bench      how fast: targets, and a comparison with other libraries, in out/bench.md; BENCH="--quick" is short
# make docs       the documents, in docs/_build
# make debates    28 public debates, explained in out/debates; DATA=kpm_data is your copy of their texts
#
# Everything is installed into .venv, in the versions of constraints.txt. Another Python (3.11 or newer):
#   make test PYTHON=python3.12
PYTHON ?= python3
BIN := .venv/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
INTERPRETER := .venv/.python-$(VERSION)
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt
ORDER ?= $(shell date +%s)
# the tests start many processes: modules are compiled once, also where the environment says otherwise
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo debates test test-heavy test-machines soak chromium mutants lint bench docs clean

demo: .venv/.demo
	$(BIN)/qontrast why examples:healthcare antiviral antibiotic
	@mkdir -p out
	$(BIN)/qontrast report examples:healthcare antiviral antibiotic -o out/why.html
	$(BIN)/qontrast draw examples:healthcare antiviral antibiotic -o out/healthcare.svg
	@echo "Open out/why.html and out/healthcare.svg in a browser."

debates: .venv/.demo
	$(BIN)/python docs/debates.py $(DATA)

# one process per core; never in random order and without the heavy tests, also where what these need is installed
test: lint
	$(BIN)/python -m pytest -m "not heavy" -p no:randomly -n auto --maxprocesses 8 --dist worksteal

# to repeat an order: make test-heavy ORDER=...
test-heavy: .venv/.heavy chromium
	$(BIN)/coverage erase
	QONTRAST_HEAVY=1 $(BIN)/python -m pytest -p tests.support.measure -p randomly --randomly-seed=$(ORDER) \
	  -n auto --maxprocesses 8 --dist worksteal
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --skip-covered

# the rows of MACHINES in tests/support/machines.py; without names all of them, and the whole light suite
test-machines: .venv/.test
	$(BIN)/python -m tests.support.machines $(MACHINES) $(if $(TESTS),--tests $(TESTS))

soak: .venv/.test
	$(BIN)/python -m tests.support.hostile 100000

# the browser for the tests of the explorer, where it may be installed; else those tests say why they did not run
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq chromium; \
	  elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo apt-get install -y -qq chromium; \
	  else echo "no chromium, and no way to install it here: the browser tests will say so"; fi; } || true

# the parts of the library and their targets are in tests/support/mutants/parts.py; HEAVY=1 tries heavy tests too
PACKAGE ?= all
SAMPLE ?= 60
SEED ?= 1
mutants: .venv/.mutants
	$(BIN)/python -m tests.support.mutants $(PACKAGE) --sample $(SAMPLE) --seed $(SEED) $(if $(HEAVY),--heavy)

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# checkouts of other libraries: make bench BENCH="--peer uncertainpy=PATH --peer qbaf-py=PATH"
bench: .venv/.bench
	$(BIN)/python -m benchmarks $(BENCH)

docs: .venv/.docs
	$(BIN)/sphinx-build -W -q -b html docs docs/_build

# A .venv of another Python is replaced. The project is built with the pinned hatchling, not with the newest one.
$(INTERPRETER):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "qontrast needs Python 3.11 or newer: make PYTHON=...")'
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(INSTALL) --only-binary :all: hatchling editables
	touch $@

# wheels only: no compiler is needed
.venv/.demo: $(INTERPRETER) pyproject.toml constraints.txt
	$(INSTALL) --only-binary :all: --no-build-isolation -e '.[cli]'
	touch $@

.venv/.test: $(INTERPRETER) pyproject.toml constraints.txt
	$(INSTALL) --only-binary :all: --no-build-isolation -e '.[test]'
	touch $@

.venv/.heavy: $(INTERPRETER) pyproject.toml constraints.txt
	$(INSTALL) --no-build-isolation -e '.[heavy]'
	touch $@

.venv/.mutants: $(INTERPRETER) pyproject.toml constraints.txt
	$(INSTALL) --no-build-isolation -e '.[mutants]'
	touch $@

.venv/.bench: $(INTERPRETER) pyproject.toml constraints.txt
	$(INSTALL) --only-binary :all: --no-build-isolation -e '.[bench]'
	touch $@

.venv/.docs: $(INTERPRETER) pyproject.toml constraints.txt
	$(INSTALL) --only-binary :all: --no-build-isolation -e '.[docs]'
	touch $@

clean:
	rm -rf .venv .venv-machines build dist out docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage*
