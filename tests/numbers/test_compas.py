"""The bias experiment: the filter, the planted bias, training, and the study on the stand-in."""

from __future__ import annotations

import csv
import json
import sys

import numpy as np
import pytest
from scipy.special import expit

from qontrast import InvalidInput
from qontrast.studies.compas import CLASSES, FEATURES, RACE, Recipe, Setting, Table, find, read, run, synthetic, train
from qontrast.studies.compas import data as compas_data
from qontrast.studies.compas.experiment import SETTINGS, TOGETHER, experiment
from qontrast.studies.compas.result import Compas


@pytest.fixture(scope="module")
def table():
    return synthetic(0)


# -- the data ---------------------------------------------------------------------------------------------------


def test_a_tiny_file_goes_through_the_filter_by_hand(tmp_path):
    header = ["name", *compas_data.COLUMNS, "days_b_screening_arrest", "is_recid", "score_text", "priors_count"]
    kept = ["A B", "30", "1", "0", "2", "5", "F", "Male", "African-American", "-30", "0", "Medium", "99"]
    changes = [(9, "31"), (9, ""), (10, "-1"), (6, "O"), (11, "N/A"), (8, "Other")]
    dropped = [[*kept[:k], value, *kept[k + 1 :]] for k, value in changes]
    with (tmp_path / "tiny.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, kept, *dropped])
    found = read(tmp_path / "tiny.csv")
    assert found.features.tolist() == [[30, 1, 0, 2, 5, 1, 1, 1]]
    assert found.labels.tolist() == [CLASSES.index("Medium")]


def test_the_bias_is_planted_from_the_original_labels(table):
    made = table.planted(0.7, np.random.default_rng(0))
    black = table.features[:, RACE] == 1
    np.testing.assert_array_equal(made.labels[~black], table.labels[~black])
    for k in (0, 1):
        group = black & (table.labels == k)
        assert np.mean(made.labels[group] == k + 1) == pytest.approx(0.7, abs=1e-3)
        assert set(made.labels[group]) == {k, k + 1}  # nobody goes from Low to High
    assert (made.labels[black & (table.labels == 2)] == 2).all()


def test_shuffling_moves_race_alone(table):
    other = table.shuffled(np.random.default_rng(0))
    np.testing.assert_array_equal(other.features[:, :RACE], table.features[:, :RACE])
    assert other.features[:, RACE].sum() == table.features[:, RACE].sum()
    assert np.mean(other.features[:, RACE] != table.features[:, RACE]) > 0.4


def test_scaled_features_run_from_zero_to_one(table):
    assert (table.scaled.min(axis=0) == 0).all()
    assert (table.scaled.max(axis=0) == 1).all()


def test_the_stand_in_is_seeded_and_has_the_marginals_of_the_file(table):
    np.testing.assert_array_equal(synthetic(0).features, table.features)
    assert (synthetic(1).labels != table.labels).any()
    means = dict(zip(FEATURES, table.features.mean(axis=0), strict=True))
    assert means["age"] == pytest.approx(34.4, abs=1.0)
    assert means["priors"] == pytest.approx(3.46, abs=0.3)
    assert means["race"] == pytest.approx(0.60, abs=0.02)
    assert np.bincount(table.labels) / len(table) == pytest.approx([0.52, 0.28, 0.20], abs=0.03)
    assert table.features[:, 0].max() <= 80


def test_without_the_file_the_stand_in_is_offered_and_not_substituted(tmp_path, monkeypatch):
    with pytest.raises(InvalidInput, match=r"ProPublica's file is not here.*data='synthetic'"):
        run(cache=tmp_path, download=False)

    def nowhere(*_, **__):
        raise compas_data.URLError("no network")

    monkeypatch.setattr(compas_data, "urlopen", nowhere)
    with pytest.raises(InvalidInput, match=r"cannot be reached.*no network.*data='synthetic'"):
        run(cache=tmp_path)
    with pytest.raises(InvalidInput, match=r"there is no file .*none.csv"):
        run(tmp_path / "none.csv")


def test_a_download_is_kept_only_with_the_right_checksum(tmp_path, monkeypatch):
    class Answer:
        content = b"something else"

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def read(self):
            return self.content

    monkeypatch.setattr(compas_data, "urlopen", lambda *_, **__: Answer())
    with pytest.raises(InvalidInput, match="not the published file"):
        find(cache=tmp_path)
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(compas_data, "SHA256", compas_data.hashlib.sha256(Answer.content).hexdigest())
    kept = find(cache=tmp_path)
    assert kept.read_bytes() == Answer.content
    monkeypatch.setattr(compas_data, "urlopen", None)  # the second time nothing is fetched
    assert find(cache=tmp_path) == kept
    kept.write_bytes(b"broken")
    with pytest.raises(InvalidInput, match="not the published file"):
        find(cache=tmp_path)


def test_a_file_of_the_users_own_is_read_without_a_checksum(tmp_path):
    (tmp_path / "mine.csv").write_text("a,b\n1,2\n")
    assert find(tmp_path / "mine.csv") == tmp_path / "mine.csv"


def test_a_wrong_file_is_refused(tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InvalidInput, match="no column 'age'"):
        run(tmp_path / "other.csv")


# -- training ---------------------------------------------------------------------------------------------------


def test_training_follows_the_slope_of_the_cross_entropy():
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 6, 3)), rng.integers(0, 2, (2, 6, 2)).astype(float)
    shapes = ((2, 3, 4), (2, 1, 4), (2, 4, 2), (2, 1, 2))
    weights = [rng.normal(size=shape) for shape in shapes]

    def loss():
        p = expit(expit(x @ weights[0] + weights[1]) @ weights[2] + weights[3])
        return -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean(axis=(1, 2)).sum()

    from qontrast.studies.compas.train import _slopes

    h = 1e-6  # the loss is good to 1e-15: 1e-9 of noise
    for w, slope in zip(weights, _slopes(weights, x, y), strict=True):
        for place in np.ndindex(*w.shape):
            kept = w[place]
            w[place] = kept + h
            up = loss()
            w[place] = kept - h
            down = loss()
            w[place] = kept
            assert slope[place] == pytest.approx((up - down) / (2 * h), abs=1e-8)


def test_a_network_comes_out_the_same_whatever_it_is_trained_beside(table):
    x, y = table.scaled[:300], np.eye(3)[table.labels[:300]]
    job = [(x, y, np.random.default_rng(seed)) for seed in (0, 1, 2)]
    together = train(job, Recipe(epochs=3))
    alone = train([(x, y, np.random.default_rng(1))], Recipe(epochs=3))[0]
    for mine, theirs in zip(together[1].layers, alone.layers, strict=True):
        np.testing.assert_allclose(mine.weights, theirs.weights, rtol=0, atol=1e-12)


# -- the study --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def five(table, tmp_path_factory):
    """Five seeds on the stand-in, in the settings that the laws are about."""
    settings = (Setting("planted 0.7", 0.7), Setting("shuffled", 0.7, shuffled=True))
    seeds = experiment(table, range(5), tmp_path_factory.mktemp("seeds"), settings)
    return Compas(seeds=seeds, source=table.source, rows=len(table), real=False)


def test_five_seeds_on_the_stand_in_show_the_effect(five):
    one, two = five.mean_ranks("planted 0.7")["gradient"]
    assert one - two > 1
    assert five.mean_ranks("planted 0.7")["removal"][0] < 1.1
    assert np.mean([each.rate for each in five.outcomes("planted 0.7")]) > 0.9


def test_five_seeds_of_the_null_show_nothing(five):
    found = five.mean_ranks("shuffled")
    assert not found or found["gradient"][1] > 5
    assert np.mean([each.rate for each in five.outcomes("shuffled")]) < 0.5


def test_every_check_of_the_study_holds_on_the_stand_in(five):
    assert [each.what for each in five.checks() if not each.holds] == []
    assert len(five.checks()) == 6


PERSONAL = ("name", "first", "last", "dob", "c_case_number")


def write_like_propublica(table, path):
    """The rows of a table in the columns of ProPublica's file, with made-up people in the personal ones."""
    header = [*PERSONAL, *compas_data.COLUMNS, "days_b_screening_arrest", "is_recid", "score_text"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for k, (row, label) in enumerate(zip(table.features, table.labels, strict=True)):
            personal = [f"{each}-of-person-{k}" for each in PERSONAL]
            words = ["F" if row[5] else "M", "Male" if row[6] else "Female", compas_data.RACES[int(row[RACE])]]
            writer.writerow([*personal, *map(int, row[:5]), *words, 0, 0, CLASSES[label]])


def test_nothing_personal_of_the_file_gets_into_a_result(table, tmp_path):
    write_like_propublica(table, tmp_path / "people.csv")
    found = run(tmp_path / "people.csv", 1, tmp_path / "out", recipe=Recipe(epochs=1))
    np.testing.assert_array_equal(read(tmp_path / "people.csv").features, table.features)
    written = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(written) >= 3  # the page, its data and the one seed
    assert not any(b"of-person" in each for each in written)
    assert "of-person" not in found.markdown() + json.dumps(found.to_dict())


def quick(tmp_path, seeds=2, **settings):
    return run("synthetic", seeds, tmp_path, recipe=Recipe(epochs=1), **settings)


def test_the_study_writes_its_page_figure_and_data(tmp_path):
    pytest.importorskip("matplotlib")
    found = quick(tmp_path)
    found.write("compas", tmp_path, [("compas.png", "bars")])
    text = (tmp_path / "compas.md").read_text(encoding="utf-8")
    assert "| mean rank of race, individual | 5.16 |" in text
    assert "no real people" in text
    data = json.loads((tmp_path / "compas.json").read_text(encoding="utf-8"))
    assert data["schema"] == "qontrast/study/1"
    assert len(data["seeds"]) == 2


def test_the_figure_has_two_bar_charts(tmp_path, five):
    pytest.importorskip("matplotlib")
    assert five.draw(tmp_path)[0][0] == "compas.png"
    assert (tmp_path / "compas.png").stat().st_size > 10_000
    assert five.shown["ranks"][1] < five.shown["ranks"][0]


def test_finished_seeds_are_not_computed_again(tmp_path, monkeypatch):
    told = []
    first = quick(tmp_path, 2, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (200, 200)
    trained = []
    module = sys.modules["qontrast.studies.compas.experiment"]  # its name is also that of its function
    real_train = module.train
    monkeypatch.setattr(module, "train", lambda jobs, *rest: trained.append(len(jobs)) or real_train(jobs, *rest))
    more = quick(tmp_path, 3)
    assert trained == [5]  # one seed, five settings
    assert list(more.seeds[:2]) == json.loads(json.dumps(list(first.seeds)))


def test_an_interruption_keeps_the_seeds_that_were_finished(tmp_path, monkeypatch):
    def interrupted(done, of):
        if done > 100 * TOGETHER:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick(tmp_path, TOGETHER + 1, progress=interrupted)
    kept = sorted(path.name for path in tmp_path.rglob("*.json"))
    assert kept == [f"seed-{k:04d}.json" for k in range(TOGETHER)]
    assert not list(tmp_path.rglob(".*"))


def test_a_broken_seed_file_is_computed_again_and_another_recipe_is_another_experiment(tmp_path):
    first = quick(tmp_path, 1)
    (file,) = (tmp_path / "compas-seeds").rglob("seed-0000.json")
    file.write_text('{"seed": 0, "outc')
    assert json.dumps(quick(tmp_path, 1).seeds[0]) == json.dumps(first.seeds[0])
    run("synthetic", 1, tmp_path, recipe=Recipe(epochs=2))
    assert len(list((tmp_path / "compas-seeds").iterdir())) == 2


def test_a_seed_without_flips_is_a_dash_and_no_error():
    outcome = {"accuracy": 0.5, "flips": 0, "candidates": 3, "changed": 0.0}
    found = Compas(
        seeds=[{"seed": 0, "outcomes": {"planted 0.7": outcome, "shuffled": outcome}, "shown": None}],
        source="none",
        rows=10,
        real=False,
    )
    assert "| shuffled | 0 | 0.00 | – | – | – |" in found.markdown()
    assert found.draw(None) == []


@pytest.mark.parametrize("seeds", [1, 2, 20, 39, 40, 79, 80])
def test_the_ends_of_a_spread_hold_95_percent_of_the_seeds_or_more_and_no_more_than_they_must(seeds):
    made = [{"accuracy": (k * 7 % seeds) / 100, "flips": 1, "candidates": 2, "changed": 0.5} for k in range(seeds)]
    if seeds > 1:
        made[0]["flips"] = 0  # left out
    found = Compas(seeds=[{"outcomes": {"planted 0.7": each}, "shown": None} for each in made], source="-", rows=9)
    counted = [each["accuracy"] for each in made if each["flips"]]
    mean, low, high = found.spread("planted 0.7", lambda outcome: outcome.accuracy)
    inside = [each for each in counted if low <= each <= high]
    assert mean == pytest.approx(np.mean(counted))
    assert len(inside) >= 0.95 * len(counted)
    assert len(inside) - 2 < 0.95 * len(counted)  # without the seeds at both ends it would be too few


def test_a_study_needs_a_seed():
    with pytest.raises(InvalidInput, match="seeds is 0"):
        run("synthetic", 0)


def test_a_table_counts_its_rows():
    assert len(Table(np.zeros((3, 8)), np.zeros(3, np.int64), "here")) == 3


def test_every_check_holds_the_mean_over_the_seeds_in_which_somebody_flips():
    rng = np.random.default_rng(0)
    names = [each.name for each in SETTINGS]

    def outcome(flips):
        numbers = {method: rng.uniform(1, 8, 2).tolist() for method in ("gradient", "removal", "shapley")}
        return {"accuracy": 0.6, "flips": flips, "candidates": 10, "changed": 0.5, "rank": numbers, "size": numbers}

    seeds = [{"outcomes": {name: outcome(flips) for name in names}, "shown": None} for flips in (3, 0, 8, 1)]
    found = {each.what: each.ours for each in Compas(seeds=seeds, source="made up", rows=10, real=False).checks()}
    flipping = [seed["outcomes"] for seed in seeds if seed["outcomes"][names[0]]["flips"]]
    for name in names:
        method, which = ("removal", 0) if name.startswith("planted") else ("gradient", 1)
        kind = ("individual", "contrastive")[which]
        mean = np.mean([each[name]["rank"][method][which] for each in flipping])
        assert found[f"{name}: {kind} rank by {method}"] == pytest.approx(mean)
        if f"{name}: flip rate" in found:
            assert found[f"{name}: flip rate"] == pytest.approx(0.3)
    gains = [np.subtract(*each["planted 0.7"]["rank"]["gradient"]) for each in flipping]
    assert found["ranks that race gains by the contrast"] == pytest.approx(np.mean(gains))
    assert found["share of seeds in which the contrast lifts race"] == np.mean(np.array(gains) > 0)
