# make demo: see it work. make test: lint, types, ladder, doctests, tests. Both set up all they need in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-heavy lint bench docs clean

demo: .venv/.demo
	$(BIN)/qontrast why examples:healthcare antiviral antibiotic
	@mkdir -p out
	$(BIN)/qontrast report examples:healthcare antiviral antibiotic -o out/why.html
	$(BIN)/qontrast draw examples:healthcare antiviral antibiotic -o out/healthcare.svg
	@echo "Open out/why.html and out/healthcare.svg in a browser."

test: lint
	$(BIN)/python -m pytest

# what needs torch, Dask, shap, ONNX or a browser: installed here, and nothing is skipped
test-heavy: .venv/.heavy
	QONTRAST_HEAVY=1 $(BIN)/python -m pytest

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

.venv/.docs: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install -q -e '.[docs]'
	touch $@

clean:
	rm -rf .venv build dist out docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
