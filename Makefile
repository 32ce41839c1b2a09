# make demo: see it work. make test: lint, types, ladder, doctests, tests. Both set up all they need in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-heavy soak chromium mutants lint bench docs clean

demo: .venv/.demo
	$(BIN)/qontrast why examples:healthcare antiviral antibiotic
	@mkdir -p out
	$(BIN)/qontrast report examples:healthcare antiviral antibiotic -o out/why.html
	$(BIN)/qontrast draw examples:healthcare antiviral antibiotic -o out/healthcare.svg
	@echo "Open out/why.html and out/healthcare.svg in a browser."

test: lint
	$(BIN)/python -m pytest

# what needs torch, Dask, shap, ONNX or a browser: installed here, and nothing is skipped
test-heavy: .venv/.heavy chromium
	QONTRAST_HEAVY=1 $(BIN)/python -m pytest

# a hundred thousand hostile requests against the explorer's server
soak: .venv/.test
	$(BIN)/python -m tests.support.hostile 100000

# the browser for the tests of the explorer, where it may be installed; else those tests say why they did not run
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq chromium; \
	  elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo apt-get install -y -qq chromium; \
	  else echo "no chromium, and no way to install it here: the browser tests will say so"; fi; } || true

# plant defects in one part of the library and count those that the tests notice:
# make mutants PACKAGE=engine SAMPLE=60 SEED=1; the parts and their targets are in tests/support/mutants.py
PACKAGE ?= engine
SAMPLE ?= 60
SEED ?= 1
mutants: .venv/.mutants
	$(BIN)/python tests/support/mutants.py $(PACKAGE) --sample $(SAMPLE) --seed $(SEED)

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.test
	$(BIN)/python -m benchmarks

docs: .venv/.docs
	$(BIN)/sphinx-build -W -q -b html docs docs/_build

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.demo: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install -q -e '.[cli]'
	touch $@

.venv/.test: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install -q -e '.[test]'
	touch $@

.venv/.heavy: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install -q -e '.[heavy]'
	touch $@

.venv/.mutants: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install -q -e '.[mutants]'
	touch $@

.venv/.docs: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install -q -e '.[docs]'
	touch $@

clean:
	rm -rf .venv build dist out docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
