"""Explain the 28 debates of key point analysis from your copy of the data: `make debates DATA=kpm_data`.

The data are those of the shared task KPA 2021 (IBM; Community Data License Agreement, Sharing, 1.0): the folder
`kpm_data` of https://github.com/IBM/KPA_2021_shared_task. None of their text is in this repository. `debates.json`
holds counts only: how many arguments people matched with which key points of each motion. Tables made from them,
without any text, have the same graphs, so the numbers of docs/debates.md can be checked everywhere.
"""

import argparse
import doctest
import json
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = "https://github.com/IBM/KPA_2021_shared_task"
PAIR = ("for", "against")
SHOWN = {"cannabis": "We should legalize cannabis", "capital-punishment": "We should abolish capital punishment"}
HEADS = {
    "arguments": "arg_id,argument,topic,stance\n",
    "key_points": "key_point_id,key_point,topic,stance\n",
    "labels": "arg_id,key_point_id,label\n",
}


def make_tables() -> dict[str, str]:
    """Make the three tables of a folder `kpm_data` from the counts, by path; texts are numbers."""
    tables = dict(HEADS)
    for motion, found in json.loads((HERE / "debates.json").read_text(encoding="utf-8")).items():
        stances = [{"+": 1, "-": -1}[sign] for sign in found["stances"]]
        for number, stance in enumerate(stances):
            tables["key_points"] += f"kp_{motion}_{number},key point {number},{found['name']},{stance}\n"
        made = 0
        for matched, times in found["matches"].items():
            numbers = [int(number) for number in matched.split()]
            for _ in range(times):
                name = f"arg_{motion}_{made}"
                made += 1
                tables["arguments"] += f"{name},argument {made},{found['name']},{stances[numbers[0]]}\n"
                tables["labels"] += "".join(f"{name},kp_{motion}_{number},1\n" for number in numbers)
    return {f"kpm_data/{table}.csv": text for table, text in tables.items()}


def write_tables(folder: Path) -> None:
    """Write the tables of the counts into the folder `kpm_data` of a folder."""
    for name, text in make_tables().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def check_chapter() -> int:
    """Run the Python of docs/debates.md on the folder `kpm_data` that is here; the number of outputs that differ.

    The last section is left out: it prints the names of motions, which are our own.
    """
    text = (HERE / "debates.md").read_text(encoding="utf-8").split("## All 28 motions")[0]
    code = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "docs/debates.md", None, 0)
    return doctest.DocTestRunner(verbose=False).run(test).failed


def build(data: Path, out: Path) -> None:
    """Write the table of all motions, and a report and the bars of the key points for two of them."""
    import qontrast as qx
    from qontrast.cli.main import main as run_command

    os.chdir(data.parent)  # rows are named by the path that is given
    data = Path(data.name)
    asked = ["--fact", PAIR[0], "--foil", PAIR[1], "--method", "removal", "--robustness"]
    run_command(["batch", str(data), *asked, "--restart", "-o", str(out / "debates.html")])
    for name, motion in SHOWN.items():
        source = f"{data}#{motion}"
        run_command(["report", source, *PAIR, "--players", "groups", "-o", str(out / f"{name}.html")])
        why = qx.contrast(qx.read(source), *PAIR, players="groups")
        (out / f"{name}.svg").write_text(qx.show.bars_svg(why), encoding="utf-8")
    print(
        f"Open {out / 'debates.html'} for all motions, {' and '.join(f'{out / name}.html' for name in SHOWN)} for two."
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python docs/debates.py", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("data", nargs="?", type=Path, help=f"your copy of the folder kpm_data of {SOURCE}")
    parser.add_argument("-o", "--out", type=Path, default=Path("out/debates"), help="where pages are written")
    asked = parser.parse_args(arguments)
    out = asked.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    data = asked.data
    if data is None:
        print(
            f"No data are given, so the debates have numbers in place of texts. To read the arguments, get the folder\n"
            f"kpm_data of {SOURCE} (Community Data License Agreement,\n"
            "Sharing, 1.0) and run: make debates DATA=path/to/kpm_data"
        )
        write_tables(out)
        data = out / "kpm_data"
    elif not data.is_dir():
        print(f"{data}: no such folder; get kpm_data of {SOURCE}", file=sys.stderr)
        return 3
    build(data.resolve(), out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
