"""Run the light tests as other machines would: other processors, and the oldest and newest NumPy and SciPy.

`python -m tests.support.machines SkylakeX oldest --tests tests/laws tests/numbers` runs two rows of `MACHINES`; without
names all are run, without `--tests` the whole light suite. OpenBLAS chooses its kernels by OPENBLAS_CORETYPE, and NumPy
leaves out the instructions that NPY_DISABLE_CPU_FEATURES names; both work on x86-64 only. Other versions have an
environment of their own in .venv-machines, of wheels only; a Python that is not on this machine is said and left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv-machines"
PYTEST = ("-m", "pytest", "-m", "not heavy", "-p", "no:randomly", "-n", "auto", "--maxprocesses", "8")
# what the tests import; linters and stubs, which need versions of NumPy of their own, are for .venv alone
PACKAGES = ("-e", ".[all]", "httpx", "hypothesis", "mpmath", "pytest", "pytest-xdist", "PyYAML", "schemathesis")

# in place of pins of constraints.txt: the oldest versions that have wheels for this Python; "" is the newest version
NEWEST = dict.fromkeys(("numpy", "scipy", "pandas", "scikit-learn", "matplotlib", "contourpy"), "")
VERSIONS: dict[str, Mapping[str, str]] = {
    "oldest-3.11": {
        "numpy": "2.0.0",
        "scipy": "1.13.0",
        "pandas": "2.2.2",  # the first one for NumPy 2
        "scikit-learn": "1.5.0",
        "matplotlib": "3.10.0",
        "pyparsing": "3.2.5",  # 3.3 deprecates what Matplotlib 3.10 calls
    },
    "oldest-3.13": {
        "numpy": "2.1.0",
        "scipy": "1.14.1",
        "pandas": "2.2.3",
        "scikit-learn": "1.5.2",
        "matplotlib": "3.10.0",
        "pyparsing": "3.2.5",
    },
    "newest-3.11": NEWEST,
    "newest-3.13": NEWEST,
}

# NumPy 2.3 and older name instructions one by one, newer ones by levels of x86-64; those of another NumPy are refused
NO_AVX = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
NO_AVX_OLD = {
    "NPY_DISABLE_CPU_FEATURES": "AVX F16C FMA3 AVX2 AVX512F AVX512CD AVX512_KNL AVX512_KNM AVX512_SKX AVX512_CLX "
    "AVX512_CNL AVX512_ICL"
}


@dataclass(frozen=True)
class Machine:
    """One way to run the tests: a row of `VERSIONS`, or the environment that runs this, and variables for the run."""

    versions: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


# The newest versions are not run with OPENBLAS_CORETYPE=Haswell: dgemm of the OpenBLAS in NumPy 2.5.4 crashes there
# on a processor that is not one, without qontrast.
MACHINES = {
    **{core: Machine(variables={"OPENBLAS_CORETYPE": core}) for core in ("Prescott", "Haswell", "SkylakeX", "Zen")},
    "no-avx": Machine(variables=NO_AVX),
    "oldest": Machine("oldest-3.11"),
    "oldest-no-avx": Machine("oldest-3.11", NO_AVX_OLD),
    "newest": Machine("newest-3.11"),
    "oldest-3.13": Machine("oldest-3.13"),
    "newest-3.13": Machine("newest-3.13"),
}


def main() -> int:
    """Run the machines that the command line names; the exit code is 1 if tests fail on one of them."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("machines", nargs="*", metavar="machine", help=", ".join(MACHINES))
    asked.add_argument("--tests", nargs="+", default=[], help="files and folders, in place of the light suite")
    given = asked.parse_args()
    if unknown := [name for name in given.machines if name not in MACHINES]:
        asked.error(f"no machine {unknown[0]!r} among {', '.join(MACHINES)}")
    results = {name: run_machine(name, MACHINES[name], given.tests) for name in given.machines or MACHINES}
    print("\n".join(f"{name:14} {result}" for name, result in results.items()))
    return int("failed" in results.values())


def run_machine(name: str, machine: Machine, tests: list[str]) -> str:
    """Run the tests on one machine; return passed, failed, or why they were not run."""
    if machine.variables and platform.machine() not in ("x86_64", "AMD64"):
        return f"not run: {', '.join(machine.variables)} is for x86-64"
    try:
        own = install(machine.versions) if machine.versions else sys.executable
    except LookupError as error:
        return f"not run: {error}"
    settings = " ".join(f"{key}={value}" for key, value in machine.variables.items())
    print(f"== {name}: {read_versions(own)} {settings}", flush=True)
    # several processes: no library shall start threads of its own beside them
    variables = os.environ | {"OPENBLAS_NUM_THREADS": "1", **machine.variables}
    done = subprocess.run([own, *PYTEST, "--dist", "worksteal", *tests], cwd=ROOT, env=variables, check=False)
    return "passed" if done.returncode == 0 else "failed"


def find_python(version: str) -> str:
    """Find this version of Python: the running one, on the PATH, or among those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    known = [sys.executable, which(f"python{version}"), *map(str, pyenv.glob(f"versions/{version}.*/bin/python"))]
    for each in filter(None, known):
        done = subprocess.run([each, "--version"], capture_output=True, text=True, check=False)
        if done.stdout.startswith(f"Python {version}."):
            return each
    raise LookupError(f"there is no Python {version} here; put python{version} on the PATH")


def install(versions: str) -> str:
    """Make the environment of a row of `VERSIONS`, unless it is there with the same pins; return its Python."""
    python, folder = find_python(versions.partition("-")[2]), FOLDER / versions
    own = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    pins = write_pins((ROOT / "constraints.txt").read_text(encoding="utf-8"), VERSIONS[versions])
    kept, new = folder / "constraints.txt", folder / "wanted.txt"
    if kept.exists() and kept.read_text(encoding="utf-8") == pins:
        return own
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    new.write_text(pins, encoding="utf-8")
    pip = [own, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:", "-c", str(new)]
    subprocess.run([*pip, "hatchling", "editables"], cwd=ROOT, check=True)
    subprocess.run([*pip, "--no-build-isolation", *PACKAGES], cwd=ROOT, check=True)
    new.replace(kept)  # written last: an installation that was interrupted is started again
    return own


def write_pins(constraints: str, versions: Mapping[str, str]) -> str:
    """Write constraints.txt with other versions of these packages, or without their pins."""
    kept = [line for line in constraints.splitlines() if line.partition("==")[0] not in versions]
    return "\n".join([*kept, *(f"{name}=={version}" for name, version in versions.items() if version), ""])


def read_versions(python: str) -> str:
    """Name the versions of Python, NumPy and SciPy that an environment has."""
    code = "import sys, numpy, scipy; print(sys.version.split()[0], numpy.__version__, scipy.__version__)"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return "Python {}, NumPy {}, SciPy {}".format(*found)


if __name__ == "__main__":
    sys.exit(main())
