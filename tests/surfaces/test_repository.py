"""What the files around the library say is the same in all of them: versions, Pythons, tools."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from qontrast import __version__
from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [word.rpartition(" ")[2] for word in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", word)]


def load_yaml(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_pins() -> dict[str, str]:
    pins = [line.split("==") for line in read("constraints.txt").splitlines() if not line.startswith("#")]
    assert len({normalise(name) for name, _ in pins}) == len(pins), "constraints.txt pins a package twice"
    return {normalise(name): version for name, version in pins}


def test_the_version_is_the_same_in_the_package_the_citation_and_the_newest_entry_of_the_changelog() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert load_yaml("CITATION.cff")["version"] == __version__
    headings = re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert re.fullmatch(re.escape(__version__) + r" - \d{4}-\d\d-\d\d", headings[1]), headings[1]


def test_classifiers_workflow_and_documents_name_the_same_versions_of_python() -> None:
    assert len(PYTHONS) >= 4
    matrix = load_yaml(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert {system.partition("-")[0] for system in matrix["system"]} == {"ubuntu", "macos", "windows"}
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert f"Python {PYTHONS[0]} to {PYTHONS[-1]} " in read("docs/compatibility.md")
    assert f"Python {PYTHONS[0]} to {PYTHONS[-1]}" in read("constraints.txt")


def test_every_requirement_of_the_project_is_pinned_for_developers() -> None:
    pins = read_pins()
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *(each for extra in extras.values() for each in extra), "hatchling", "editables"]
    names = {normalise(re.match(r"[\w.-]+", each)[0]) for each in asked} - {"qontrast"}  # type: ignore[index]
    assert names - set(pins) == set()


def test_a_requirement_that_names_one_version_names_the_pinned_one() -> None:
    pins = read_pins()
    for extra in PROJECT["optional-dependencies"].values():
        for name, version in re.findall(r"([\w.-]+)==([\w.]+)", " ".join(extra)):
            assert pins[normalise(name)] == version


def test_hooks_before_a_commit_run_the_tools_of_make_lint_in_the_pinned_versions() -> None:
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", read("Makefile"), re.MULTILINE)
    assert lint
    commands = [line.strip().removeprefix("$(BIN)/").removesuffix(" .") for line in lint[1].splitlines()]
    hooks = [hook for repo in load_yaml(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert [hook["entry"].removesuffix(" --force-exclude") for hook in hooks] == commands
    assert all(hook["language"] == "system" for hook in hooks)  # of the environment, whose versions are pinned
    assert {command.split()[0] for command in commands} <= {*read_pins(), "lint-imports"}


def test_the_workflow_runs_every_check_of_make_lint_and_the_tests() -> None:
    steps = load_yaml(".github/workflows/ci.yml")["jobs"]["test"]["steps"]
    run = [line.strip() for step in steps for line in step.get("run", "").splitlines()]
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", read("Makefile"), re.MULTILINE)
    test = re.search(r"^test:.*\n((?:\t.*\n)+)", read("Makefile"), re.MULTILINE)
    assert lint
    assert test
    for line in (lint[1] + test[1]).splitlines():
        assert line.strip().removeprefix("$(BIN)/") in run


@pytest.mark.parametrize("folder", ["workflows", "ISSUE_TEMPLATE"])
def test_every_file_for_the_forge_is_valid_yaml_with_a_name(folder: str) -> None:
    files = sorted((ROOT / ".github" / folder).glob("*.yml"))
    assert len(files) >= 2
    for file in files:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert file.name == "config.yml" or found["name"]


def test_a_release_is_published_only_after_its_distributions_were_built_and_checked() -> None:
    jobs = load_yaml(".github/workflows/release.yml")["jobs"]
    run = " ".join(step.get("run", "") for step in jobs["build"]["steps"])
    assert "python -m build" in run
    assert "twine" in run
    assert "_version.py" in run
    assert jobs["publish"]["needs"] == "build"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
