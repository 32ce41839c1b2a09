"""The distributions that `python -m build` makes, and the wheel in an environment with what it requires and no more."""

from __future__ import annotations

import importlib.metadata as metadata
import re
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from qontrast import __version__
from tests.support.paths import ROOT

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("build", "hatchling"):
        pytest.importorskip(name, reason="building needs the extra heavy")
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    return folder


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_has_every_file_of_the_library_and_says_what_pyproject_says(distributions: Path) -> None:
    (wheel,) = distributions.glob("*.whl")
    assert wheel.name == f"qontrast-{__version__}-py3-none-any.whl"
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in (source / "qontrast").rglob("*") if path.is_file()}
    with ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = archive.read(f"qontrast-{__version__}.dist-info/METADATA").decode()
    assert inside == {name for name in files if "__pycache__" not in name}
    fields = about.partition("\n\n")[0]
    for expected in (f"Version: {__version__}", "License-Expression: MIT", "Description-Content-Type: text/markdown"):
        assert expected in fields.splitlines()
    assert "Provides-Extra: cli" in fields
    assert about.partition("\n\n")[2].startswith((ROOT / "README.md").read_text(encoding="utf-8"))


def test_the_source_distribution_has_the_tests_and_the_documents(distributions: Path) -> None:
    (archive,) = distributions.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "docs/api.md", "tests/conftest.py"} <= names
    assert not [name for name in names if name.startswith((".venv", "out/", "dist/", "docs/_build"))]


def find_requirements(name: str, extra: str) -> set[str]:
    """The installed packages that this one needs, with all that they need, without their own extras."""
    found: set[str] = set()
    waiting = [(name, extra)]
    while waiting:
        package, wanted = waiting.pop()
        for line in metadata.requires(package) or ():
            requirement, _, marker = line.partition(";")
            needed = re.match(r"[\w.-]+", requirement)
            asked_for = f'extra == "{wanted}"' in marker.replace("'", '"') if "extra" in marker else True
            if needed and asked_for and needed[0] not in found and is_installed(needed[0]):
                found.add(needed[0])
                waiting.append((needed[0], ""))
    return found


def is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:  # for another system or another Python
        return False
    return True


def make_environment(folder: Path, wheel: Path, extra: str) -> Path:
    """An environment with the wheel and links to what it requires; return its folder of programs."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    for name in find_requirements("qontrast", extra):
        there = metadata.distribution(name)
        for top in {file.parts[0] for file in there.files or () if file.parts[0] not in ("..", "__pycache__")}:
            place = site / top
            if not place.exists():
                place.symlink_to(str(there.locate_file(top)))
    python = folder / "bin" / "python"
    run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], folder
    )
    return folder / "bin"


@pytest.mark.parametrize("extra", ["", "cli"])
def test_the_wheel_works_in_an_environment_that_has_only_what_it_requires(
    distributions: Path, extra: str, tmp_path: Path
) -> None:
    (wheel,) = distributions.glob("*.whl")
    programs = make_environment(tmp_path / "bare", wheel, extra)
    code = (
        "import qontrast as qx; q = qx.read('examples:healthcare'); print(qx.__file__);"
        "print(qx.contrast(q, 'antiviral', 'antibiotic'))"
    )
    where, answer = run([str(programs / "python"), "-I", "-c", code], tmp_path).splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert answer.startswith("“Antiviral therapy” (0.3564) is rated above “Antibiotic therapy” (0.2368)")
    if extra == "cli":
        assert run([str(programs / "qontrast"), "--version"], tmp_path) == f"qontrast {__version__}\n"
        assert "Antiviral therapy" in run([str(programs / "qontrast"), "why", "examples:healthcare"], tmp_path)
    else:
        done = subprocess.run([str(programs / "qontrast"), "why", "examples:zebra"], capture_output=True, text=True)
        assert done.returncode == 1
        assert "'.[cli]'" in done.stderr
