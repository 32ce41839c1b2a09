"""The audit: ranks, flips, intervals, the null, the page; laws, values by hand, and ways to fail."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import astuple
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from qontrast import FormatError, InvalidInput, UnknownName
from qontrast.auditing.audit import audit, audit_files
from qontrast.auditing.measures import rank
from qontrast.networks import from_arrays, save
from qontrast.studies.compas import RACE, Recipe, synthetic, train
from tests.support.paths import ROOT


def simple(**settings):
    """Two features, three classes by hand: race decides between Low and Medium, age between Medium and High."""
    weights = [[-8.0, 8.0, 0.0], [0.0, 0.0, 12.0]]
    names = {"inputs": ["race", "age"], "classes": ["Low", "Medium", "High"]} | settings
    return from_arrays([weights], [[4.0, -4.0, -8.0]], **names)


X = np.column_stack([np.repeat([0.0, 1.0], 10), np.tile(np.linspace(0.0, 0.45, 10), 2)])


@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=1, max_size=6))
def test_ranks_are_average_ranks_of_the_absolute_values(rows):
    values = np.array(rows, float) / 7
    np.testing.assert_array_equal(rank(values), rankdata(-np.abs(values), axis=1))


def test_equal_up_to_rounding_is_a_tie():
    assert rank(np.array([[0.3, -(0.1 + 0.2), 0.0]])).tolist() == [[1.5, 1.5, 3.0]]


def test_who_flips_is_found_by_hand():
    found = audit(simple(), X, "Medium", "Low", protected="race")
    assert found.instances == tuple(range(10, 20))
    assert (found.flips, found.candidates, found.flip_rate, found.changed) == (10, 10, 1.0, 1.0)
    elsewhere = audit(simple(), X, "Medium", "High", protected="race")
    assert (elsewhere.flips, elsewhere.candidates, elsewhere.changed) == (0, 10, 1.0)  # they become Low, not High
    other = audit(simple(), X, "Low", "Medium", protected="race")
    assert other.instances == tuple(range(10))
    assert audit(simple(), X, "Medium", "Low", protected="race", value=0).candidates == 0


def test_with_labels_only_what_is_rightly_predicted_counts():
    y = ["Low"] * 10 + ["Medium"] * 4 + ["High"] * 6
    found = audit(simple(), X, "Medium", "Low", protected="race", y=y)
    assert found.instances == (10, 11, 12, 13)
    assert found.asked == "rightly predicted Medium"
    by_place = audit(simple(), X, "Medium", "Low", protected="race", y=[0] * 10 + [1] * 4 + [2] * 6)
    assert by_place.instances == found.instances


def test_an_attribute_of_many_values_is_tried_at_each_of_them():
    x = np.column_stack([np.array([0.0, 0.5, 1.0, 0.6]), np.zeros(4)])
    found = audit(simple(), x, "Medium", "Low", protected="race")
    assert found.instances == (2, 3)  # 0.5 is tied, and the first class wins
    assert audit(simple(), x, "Medium", "Low", protected="race", values=[0.9]).instances == ()
    many = np.column_stack([np.linspace(0, 1, 50), np.zeros(50)])
    with pytest.raises(InvalidInput, match="values is the string 'all'; give a list of numbers"):
        audit(simple(), x, "Medium", "Low", protected="race", values="all")
    with pytest.raises(InvalidInput, match=r"'race' has 50 different values.*values=\[...\]"):
        audit(simple(), many, "Medium", "Low", protected="race")


def test_the_table_is_made_of_the_networks_own_contributions():
    network = simple()
    found = audit(network, X, "Medium", "Low", protected="race")
    rows = list(found.instances)
    for method in ("gradient", "removal", "shapley"):
        phi = network.contributions(X[rows], method=method)
        one, two = phi[:, 1], phi[:, 1] - phi[:, 0]
        for k, name in enumerate(network.inputs):
            each = found.table[method][name]
            assert each.individual.mean == pytest.approx(np.abs(one[:, k]).mean())
            assert each.contrastive.mean == pytest.approx(np.abs(two[:, k]).mean())
            assert each.individual_rank.mean == pytest.approx(rankdata(-np.abs(one), axis=1)[:, k].mean())
            assert each.contrastive_rank.mean == pytest.approx(rankdata(-np.abs(two), axis=1)[:, k].mean())
            assert each.individual.low <= each.individual.mean <= each.individual.high


def test_with_the_attribute_at_zero_removal_and_shapley_give_it_exactly_nothing():
    found = audit(simple(), X, "Low", "Medium", protected="race")
    for method in ("removal", "shapley"):
        assert found.table[method]["race"].contrastive.mean == 0.0
    assert found.table["gradient"]["race"].contrastive.low > 0.0


def test_instances_may_be_chosen_by_row_or_by_mask():
    by_row = audit(simple(), X, "Medium", "Low", protected="race", instances=[1, 12])
    mask = np.zeros(20, bool)
    mask[[1, 12]] = True
    assert by_row.instances == audit(simple(), X, "Medium", "Low", protected="race", instances=mask).instances
    assert (by_row.choice, by_row.flips) == ("as given", 10)
    with pytest.raises(InvalidInput, match="row numbers from 0 to 19"):
        audit(simple(), X, "Medium", "Low", protected="race", instances=[20])


def test_a_single_instance_has_no_interval_and_two_have_one():
    one, two = (audit(simple(), X, "Medium", "Low", protected="race", instances=rows) for rows in ([12], [12, 15]))
    for each in (found for method in one.table.values() for measure in method.values() for found in astuple(measure)):
        assert np.isnan(each[1:]).all()
    first = one.to_dict()["methods"]["gradient"]["age"]["individual_rank"]
    assert (first["mean"], first["low"], first["high"]) == (2.0, None, None)
    assert "[" not in str(one).partition("\n\n")[2]
    assert "1 instance (as given), without intervals." in one.report_html()
    assert "2 instances (as given), with 95 % intervals over instances." in two.report_html()
    assert str(two).count("[") == 2 * 3 * 2  # both ranks of two features by three methods


def test_intervals_stay_within_the_range_of_ranks_and_sizes():
    found = audit(simple(), X, "Medium", "Low", protected="race", instances=[12, 15])
    for features in found.table.values():
        for each in features.values():
            for place in (each.individual_rank, each.contrastive_rank):
                assert 1 <= place.low <= place.mean <= place.high <= 2
            for size in (each.individual, each.contrastive):
                assert 0 <= size.low <= size.mean <= size.high


def test_nobody_flips_and_that_is_said():
    found = audit(simple(), X, "High", "Low", protected="age", methods=["gradient"])
    assert (found.flips, found.table, found.telling) == (0, {}, ())
    assert "flip rate 0.00" in str(found)
    assert "No instance was left to explain" in found.report_html()


@pytest.fixture(scope="module")
def planted():
    """A biased network on the synthetic stand-in, with its trainer."""
    table = synthetic(1, 4200).planted(0.7, np.random.default_rng(1))
    x, y = table.scaled, table.labels

    def trainer(x, y, seed):
        rng = np.random.default_rng(seed)
        return train([(x, np.eye(3)[y], rng)], Recipe(batch=64, rate=2e-3))[0]

    known, test = (x[900:], y[900:]), (x[:900], y[:900])
    return audit(
        trainer(*known, 0),
        test[0],
        "Medium",
        "Low",
        protected="race",
        y=test[1],
        value=1,
        trainer=trainer,
        train=known,
        seeds=2,
    )


def test_a_planted_bias_shows_and_the_null_does_not(planted):
    assert planted.runs.rate > 0.9
    one, two = planted.runs.rank("gradient")
    assert one[0] - two[0] > 1
    assert planted.runs.rank("removal")[0][0] < 1.1
    null = planted.null.rank("gradient")
    assert null is None or null[1][0] > 5
    assert planted.null.changed < planted.runs.changed / 2


def test_the_null_is_trained_on_a_shuffled_attribute_and_nothing_else_is_moved():
    seen = []

    def trainer(x, y, seed):
        seen.append((x.copy(), list(y), seed))
        return simple()

    y = ["Low"] * 10 + ["Medium"] * 10
    audit(simple(), X, "Medium", "Low", protected="race", y=y, trainer=trainer, seeds=[3, 4], methods=["removal"])
    assert [seed for _, _, seed in seen] == [3, 4, 3, 4]
    for x, labels, _ in seen:
        assert labels == y
        np.testing.assert_array_equal(x[:, 1], X[:, 1])
        np.testing.assert_array_equal(np.sort(x[:, 0]), X[:, 0])
    np.testing.assert_array_equal(seen[0][0], X)
    assert (seen[2][0] != X).any()


def test_the_shuffled_attribute_has_no_order_of_its_own_left():
    """A shuffle of 400 zeros and ones in order agrees with them, and with their reverse, in about half of the rows."""
    x = np.column_stack([np.repeat([0.0, 1.0], 200), np.full(400, 0.3)])
    seen = []

    def trainer(x, y, seed):
        seen.append(x[:, 0].copy())
        return simple()

    y = np.repeat(["Low", "Medium"], 200)
    audit(simple(), x, "Medium", "Low", protected="race", methods=["removal"], y=y, trainer=trainer, seeds=4)
    plain, null = seen[:4], seen[4:]
    for column in plain:
        np.testing.assert_array_equal(column, x[:, 0])
    for column in null:
        for order in (x[:, 0], x[::-1, 0]):
            assert 0.4 < (column == order).mean() < 0.6  # four standard errors of 0.025
    assert len({column.tobytes() for column in null}) == 4  # another shuffle for each seed


def test_shares_are_shown_as_they_are(planted):
    """The flip rate is a number from 0 to 1, and what changes a percentage: in the text, the data and the page."""
    text, data, page = str(planted), planted.to_dict(), planted.report_html()
    assert data["flip_rate"] == planted.flips / planted.candidates == planted.flip_rate
    assert f"flip rate {planted.flip_rate:.2f} ({planted.flips} of {planted.candidates} " in text
    assert f"{100 * planted.changed:.0f} % of all predictions change" in text
    assert 0 <= data["changed"] <= 1
    assert data["changed"] == planted.changed
    for runs, told in ((planted.runs, data["runs"]), (planted.null, data["null"])):
        assert told["flip_rate"] == np.mean([each.flips / each.candidates for each in runs.runs])
        assert f"flip rate {told['flip_rate']:.2f}" in text
    assert f"{planted.flip_rate:.2f}" in page


def test_a_trainer_may_give_a_scikit_learn_model_whose_classes_are_sorted():
    neural = pytest.importorskip("sklearn.neural_network")
    x = np.random.default_rng(0).random((60, 2)).round()

    def trainer(x, y, seed):
        model = neural.MLPClassifier((4,), activation="logistic", random_state=seed, max_iter=60, solver="lbfgs")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it need not converge
            return model.fit(x, y)

    y = np.where(x[:, 0] > 0, "Medium", "Low")
    y[:3] = "High"
    found = audit(simple(), x, "Medium", "Low", protected="race", methods=["removal"], y=y, trainer=trainer, seeds=1)
    assert found.runs.rate > 0.9  # High, Low, Medium: another order than the audited network's
    assert found.runs.rank("removal")[1][0] == 1.0


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]


def test_the_page_stands_alone_without_scripts(planted):
    page = planted.report_html()
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags
    assert reader.links == []
    assert reader.tags.count("svg") == 3
    for words in ("slope per whole unit", "A low rank is not innocence", "The contrast helps the gradient most"):
        assert words in page
    for name in planted.network.inputs:
        assert name in page


def test_no_verdict_is_given(planted):
    for text in (str(planted), planted.report_html(), json.dumps(planted.to_dict())):
        assert "biased" not in text.lower()
        assert "unfair" not in text.lower()
        assert "discriminat" not in text.lower()


def test_labels_are_escaped_on_the_page_of_an_audit():
    evil = '<script>alert("x")</script>'
    network = simple(inputs=[evil, "a&b"], classes=["<i>Low", "Medium", "High"])
    page = audit(network, X, "Medium", "<i>Low", protected=evil).report_html()
    assert "<script" not in page
    assert "<i>" not in page
    assert "a&amp;b" in page


def test_the_telling_instances_are_those_that_the_contrast_lifts_most(planted):
    gains = [each.individual_rank - each.contrastive_rank for each in planted.telling]
    assert gains == sorted(gains, reverse=True)
    assert len(planted.telling) == 5
    assert set(planted.telling[0].features) == set(planted.network.inputs)


def test_the_data_of_an_audit_is_plain(planted):
    data = json.loads(json.dumps(planted.to_dict()))
    assert data["schema"] == "qontrast/audit/1"
    assert data["players"] == "inputs"
    assert data["readout"] == "logistic"
    assert data["explains"] == "the QBAF under mlp"
    assert set(data["methods"]["shapley"]["race"]) == {
        "individual_rank",
        "contrastive_rank",
        "individual",
        "contrastive",
    }
    assert data["null"]["seeds"] == [0, 1]


def test_ways_to_ask_wrongly():
    with pytest.raises(UnknownName, match="no feature 'rase' among the 2 here; did you mean 'race'"):
        audit(simple(), X, "Medium", "Low", protected="rase")
    with pytest.raises(UnknownName, match="no class 'Mediun'"):
        audit(simple(), X, "Mediun", "Low", protected="race")
    with pytest.raises(InvalidInput, match="both 'Low'"):
        audit(simple(), X, "Low", "Low", protected="race")
    with pytest.raises(UnknownName, match="no method 'lime'"):
        audit(simple(), X, "Medium", "Low", protected="race", methods=["lime"])
    with pytest.raises(InvalidInput, match="3 labels for 20 rows"):
        audit(simple(), X, "Medium", "Low", protected="race", y=["Low"] * 3)
    with pytest.raises(InvalidInput, match="label 'Hihg' is not a class"):
        audit(simple(), X, "Medium", "Low", protected="race", y=["Hihg"] * 20)
    with pytest.raises(InvalidInput, match="a Network has readout already"):
        audit(simple(), X, "Medium", "Low", protected="race", readout="softmax")
    wrong = simple(inputs=["a", "b"])
    with pytest.raises(InvalidInput, match=r"the trainer gave a network of a, b → Low"):
        audit(simple(), X, "Medium", "Low", protected="race", y=["Low"] * 20, trainer=lambda x, y, seed: wrong)
    with pytest.raises(InvalidInput, match="a trainer needs labels"):
        audit(simple(), X, "Medium", "Low", protected="race", trainer=lambda x, y, seed: simple())


# -- from files -------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    save(simple(), tmp_path / "model.npz")
    lines = ["name,age,race,truth", *(f"Someone {k},{a},{r},{'Medium' if r else 'Low'}" for k, (r, a) in enumerate(X))]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "model.npz", tmp_path / "data.csv"


def test_files_give_the_same_audit_and_no_name_of_a_person(files):
    found = audit_files(*files, "Medium", "Low", protected="race", label="truth")
    assert (
        found.to_dict()
        == audit(simple(), X, "Medium", "Low", protected="race", y=["Low"] * 10 + ["Medium"] * 10).to_dict()
    )
    for text in (str(found), found.report_html(), json.dumps(found.to_dict())):
        assert "Someone" not in text


def test_a_model_without_names_takes_the_columns_in_order(tmp_path):
    save(simple(inputs=["x0", "x1"], classes=None), tmp_path / "m.npz")
    (tmp_path / "d.csv").write_text("race,age\n1,0.2\n0,0.2\n")
    with pytest.raises(InvalidInput, match=r"no class 'Medium'.*classes=\[...\] in the order"):
        audit_files(tmp_path / "m.npz", tmp_path / "d.csv", "Medium", "Low", protected="race")
    found = audit_files(
        tmp_path / "m.npz", tmp_path / "d.csv", "Medium", "Low", protected="race", classes=["Low", "Medium", "High"]
    )
    assert found.instances == (0,)
    (tmp_path / "d.csv").write_text("race,age,id\n1,0.2,7\n")
    with pytest.raises(InvalidInput, match=r"takes 2; .* has 3 columns; give inputs=\[...\]"):
        audit_files(tmp_path / "m.npz", tmp_path / "d.csv", "class 1", "class 0", protected="race")


def test_a_scale_undoes_the_units_of_the_file(files):
    model, data = files
    data.write_text("age,race\n18,1\n36,1\n")
    found = audit_files(model, data, "Medium", "Low", protected="race", scale={"age": (18, 98)}, values=[0])
    assert {each.features["age"] for each in found.telling} == {0.0, 0.225}
    with pytest.raises(InvalidInput, match=r"feature 'age' is 18 in row 0, outside"):
        audit_files(model, data, "Medium", "Low", protected="race")


def test_broken_files_are_named_with_line_and_column(files):
    model, data = files
    data.write_text("age,race\n0.5,1\n0.5,African-American\n")
    with pytest.raises(FormatError, match=r"data.csv:3: column 'race' holds a text"):
        audit_files(model, data, "Medium", "Low", protected="race")
    data.write_text("age,race\n0.5\n")
    with pytest.raises(FormatError, match=r"data.csv:2: 1 field, but the header has 2"):
        audit_files(model, data, "Medium", "Low", protected="race")
    data.write_text("age,rase\n0.5,1\n")
    with pytest.raises(FormatError, match="no column 'race' among the 2 here; did you mean 'rase'"):
        audit_files(model, data, "Medium", "Low", protected="race")
    data.write_text("age,race\n")
    with pytest.raises(FormatError, match="no rows"):
        audit_files(model, data, "Medium", "Low", protected="race")
    with pytest.raises(FormatError, match="no such file"):
        audit_files(model, data.with_name("none.csv"), "Medium", "Low", protected="race")
    data.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="is UTF-16"):
        audit_files(model, data, "Medium", "Low", protected="race")


@pytest.mark.heavy
def test_an_onnx_model_and_a_table_are_audited(tmp_path):
    onnx = pytest.importorskip("onnx")
    helper, network = onnx.helper, simple()
    tensors = {"w": network.layers[0].weights, "b": network.layers[0].bias}
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["x", "w", "b"], ["z"]), helper.make_node("Sigmoid", ["z"], ["y"])],
        "net",
        [helper.make_tensor_value_info("x", onnx.TensorProto.DOUBLE, [None, 2])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.DOUBLE, [None, 3])],
        [onnx.numpy_helper.from_array(value, name) for name, value in tensors.items()],
    )
    onnx.save(helper.make_model(graph), tmp_path / "model.onnx")
    (tmp_path / "data.csv").write_text("race,age\n" + "".join(f"{r},{a}\n" for r, a in X))
    names = ["Low", "Medium", "High"]
    found = audit_files(
        tmp_path / "model.onnx", tmp_path / "data.csv", "Medium", "Low", protected="race", classes=names
    )
    assert found.to_dict() == audit(network, X, "Medium", "Low", protected="race").to_dict()


def test_the_tutorial_runs_and_prints_what_it_says(capsys):
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    blocks, known = re.findall(r"```(python|text)\n(.*?)```", text, re.DOTALL), {}
    capsys.readouterr()
    printed = ""
    for kind, block in blocks:
        if kind == "python":
            assert printed == ""  # everything printed was shown
            exec(block, known)
            printed = capsys.readouterr().out
        else:
            assert block == printed
            printed = ""
    assert len(blocks) >= 7


def test_race_is_the_last_of_the_eight_features():
    assert synthetic(0, 10).features.shape == (10, 8)
    assert RACE == 7


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("age,race\n0.5,1\n\n0.5,x\n", 4, "column 'race' holds a text; give numbers, encoded as in training"),
        ("age,race\n0.5, \n", 2, "column 'race' holds an empty field; give numbers, encoded as in training"),
        ("age,race\n0.5,1,2\n", 2, "3 fields, but the header has 2"),
        ("age,rase\n0.5,1\n", None, "no column 'race' among the 2 here; did you mean 'rase'?"),
        ("age,race\n", None, "has no rows below its header"),
        ("", None, "no column 'race' among the 0 here"),
    ],
)
def test_whatever_is_wrong_with_a_file_its_name_and_line_are_said(files, text, line, said):
    model, data = files
    data.write_text(text)
    with pytest.raises(FormatError) as error:
        audit_files(model, data, "Medium", "Low", protected="race")
    assert (error.value.file, error.value.line, error.value.message) == (str(data), line, said)
    assert str(error.value) == f"{data}{'' if line is None else f':{line}'}: {said}"
