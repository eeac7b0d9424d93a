"""Trained models in the document, on the shelf and in the project file."""

import hashlib
import json
import zipfile
from dataclasses import replace
from io import BytesIO

import pytest

from core.document.commands import (
    AddTrainedModel,
    OpenData,
    RemoveModel,
    RenameModel,
    SetRole,
    SetTarget,
)
from core.document.compare.commands import ChooseModel
from core.document.data.model import DataRef
from core.document.files.autosave import Autosave, read_copy
from core.document.files.model_store import ModelStore
from core.document.files.project import (
    Headline,
    pack_project,
    read_project,
    save_project,
    unpack_project,
)
from core.document.history import History
from core.document.model import (
    SCHEMA_VERSION,
    Document,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
    TrainedModel,
)
from core.document.uplift.commands import AddUpliftModel
from core.document.uplift.model import UpliftKind, UpliftModel
from payoff.errors import PayoffError

CONTENT = b"trees, trees, trees"
HASH = hashlib.sha256(CONTENT).hexdigest()
TARGET = TargetSpec(column="bought", kind="binary", levels=("yes", "no"))
ROLES = (
    RoleAssignment(column="bought", role=Role.TARGET),
    RoleAssignment(column="score", role=Role.POSTERIOR, model="scored", level="yes"),
    RoleAssignment(column="age", role=Role.INPUT),
    RoleAssignment(column="town", role=Role.INPUT),
)


def trained(name="trees", **changes):
    usual = TrainedModel(
        name=name,
        distribution="bernoulli",
        distribution_params=(("alpha", 0.5), ("ties", "efron")),
        target="bought",
        features=("age", "town"),
        monotone=(("age", 1),),
        model_hash=HASH,
        split=SplitSpec(column="use"),
        class_shares=(("yes", 0.25), ("no", 0.75)),
    )
    return replace(usual, **changes)


def document():
    return Document(target=TARGET).with_roles(ROLES)


def with_trees():
    return AddTrainedModel(model=trained()).apply(document())


def shelf_in(folder):
    model_store = ModelStore(folder)
    assert model_store.put(CONTENT) == HASH
    return model_store


# ---------------------------------------------------------------- commands


def test_a_trained_model_stands_beside_imported_ones():
    added = with_trees()
    assert [model.name for model in added.models] == ["scored", "trees"]
    assert [model.series for model in added.models] == [0, 1]
    assert added.reference_model == "scored"
    assert added.model("trees").old_priors.shares == (("yes", 0.25), ("no", 0.75))


def test_training_again_replaces_the_model_in_its_place():
    again = AddTrainedModel(model=trained(trees_used=7)).apply(with_trees())
    assert [model.name for model in again.models] == ["scored", "trees"]
    assert again.model("trees").series == 1
    assert again.trained_model("trees").trees_used == 7


def test_an_imported_model_is_not_replaced_by_a_trained_one():
    with pytest.raises(PayoffError, match="called 'scored' in the data"):
        AddTrainedModel(model=trained("scored")).apply(document())


def test_an_untrained_model_is_not_added():
    with pytest.raises(PayoffError, match="not been trained"):
        AddTrainedModel(model=trained(model_hash="")).apply(document())


def test_other_roles_keep_a_trained_model_and_its_colour():
    change = SetRole(assignment=RoleAssignment(column="score", role=Role.IGNORED))
    changed = change.apply(with_trees())
    assert [(model.name, model.series) for model in changed.models] == [("trees", 1)]
    assert changed.reference_model == "trees"


def test_another_outcome_lets_trained_models_go_and_undo_brings_them_back():
    history = History(with_trees())
    other = TargetSpec(column="age", kind="interval")
    history.execute(SetTarget(target=other, roles=None))
    assert history.document.model("trees") is None
    assert history.undo().trained_model("trees") == trained()


def test_the_words_of_levels_do_not_touch_a_trained_model():
    change = SetTarget(target=replace(TARGET, labels=("buys", "does not")))
    assert change.apply(with_trees()).model("trees") is not None


def test_next_months_file_keeps_a_model_whose_inputs_are_there():
    def opened(roles):
        data = DataRef(path="new.csv", content_hash="b", rows=1, columns=("bought",), size_bytes=1)
        command = OpenData(data=data, roles=roles, target=TARGET, split=SplitSpec())
        return command.apply(with_trees())

    assert opened(ROLES).model("trees") is not None
    assert opened(ROLES[:-1]).model("trees") is None


def test_renaming_and_removing():
    renamed = RenameModel(model="trees", name="forest").apply(with_trees())
    assert renamed.trained_model("forest").name == "forest"
    removed = RemoveModel(model="forest").apply(renamed)
    assert [model.name for model in removed.models] == ["scored"]
    removed = RemoveModel(model="scored").apply(removed)
    assert removed.models == ()
    assert removed.role_of("score").role is Role.IGNORED


def test_what_was_said_of_a_model_follows_its_new_name():
    chosen = ChooseModel(model="trees", metric="auc").apply(with_trees())
    made = UpliftModel(name="by trees", kind=UpliftKind.TREATMENT_INPUT, parts=("trees",))
    ranked = AddUpliftModel(model=made).apply(chosen)
    renamed = RenameModel(model="trees", name="forest").apply(ranked)
    assert renamed.choice.model == "forest"
    assert renamed.uplift.models[0].parts == ("forest",)
    left = RenameModel(model="scored", name="logit").apply(ranked)
    assert (left.choice, left.uplift) == (ranked.choice, ranked.uplift)


def test_a_model_that_takes_up_a_former_name_was_not_chosen_as_the_best():
    chosen = ChooseModel(model="trees", metric="auc").apply(with_trees())
    more = AddTrainedModel(model=trained(trees_used=7)).apply(chosen)
    assert more.choice == chosen.choice  # the same model, with more trees
    removed = RemoveModel(model="trees").apply(chosen)
    assert AddTrainedModel(model=trained(model_hash="b" * 64)).apply(removed).choice is None


def test_commands_print_as_script():
    line = AddTrainedModel(model=trained()).to_script()
    assert line.startswith("project.train(\n    'trees',\n    distribution='bernoulli',")


# ---------------------------------------------------------------- shelf and file


def test_a_shelf_gives_back_what_was_put_and_nothing_else(tmp_path):
    model_store = shelf_in(tmp_path)
    assert model_store.read(HASH) == CONTENT
    model_store.path(HASH).write_bytes(b"changed")
    assert model_store.read(HASH) is None
    with pytest.raises(PayoffError, match="not valid"):
        model_store.path("../../etc/passwd")


def test_a_project_carries_its_models(tmp_path):
    path = save_project(tmp_path / "p", with_trees(), Headline(), shelf_in(tmp_path / "here"))
    there = ModelStore(tmp_path / "there")
    project = read_project(path, there)
    assert project.document == with_trees()
    assert there.read(HASH) == CONTENT


def test_a_project_is_never_saved_without_its_models(tmp_path):
    with pytest.raises(PayoffError, match="file of the trained model 'trees'"):
        save_project(tmp_path / "p", with_trees(), Headline(), ModelStore(tmp_path / "empty"))
    with pytest.raises(PayoffError, match="file of the trained model 'trees'"):
        save_project(tmp_path / "p", with_trees(), Headline())
    assert not (tmp_path / "p.payoff").exists()


def rewritten(content, change):
    """A project file with its members changed, manifest and all."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def test_a_lost_or_changed_model_member_is_named():
    member = f"models/{HASH}.model"
    content = pack_project(with_trees(), Headline(), {HASH: CONTENT})
    lost = rewritten(content, lambda members: members.pop(member))
    with pytest.raises(PayoffError, match="'trees' is missing") as refusal:
        unpack_project(lost)
    assert refusal.value.where == member
    changed = rewritten(content, lambda members: members.update({member: b"other trees"}))
    with pytest.raises(PayoffError, match="damaged") as refusal:
        unpack_project(changed)
    assert refusal.value.where == member


def test_a_project_of_the_first_schema_opens():
    content = pack_project(document(), Headline())

    def older(members):
        members["manifest.json"] = members["manifest.json"].replace(
            f'"schema": {SCHEMA_VERSION}'.encode(), b'"schema": 1'
        )

    assert unpack_project(rewritten(content, older)).document == document()


def test_a_model_of_an_older_project_is_trained_again_as_before():
    content = pack_project(with_trees(), Headline(), {HASH: CONTENT})

    def older(members):
        plain = json.loads(members["document.json"])
        for entry in plain["models"]:
            if entry["trained"] is not None:
                del entry["trained"]["level_penalty"]
        members["document.json"] = json.dumps(plain).encode()
        manifest = json.loads(members["manifest.json"])
        manifest["schema"] = 6
        manifest["sha256"]["document.json"] = hashlib.sha256(members["document.json"]).hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()

    models = unpack_project(rewritten(content, older)).document.models
    assert [entry.trained.level_penalty for entry in models if entry.trained] == [0.0]
    same = unpack_project(content).document.models
    assert [entry.trained.level_penalty for entry in same if entry.trained] == [1.0]


def test_autosaved_copies_carry_models(tmp_path):
    model_store = shelf_in(tmp_path / "models")
    autosave = Autosave(tmp_path / "autosave", session=1, model_store=model_store)
    copy = autosave.save(with_trees(), Headline())
    fresh = ModelStore(tmp_path / "fresh")
    assert read_copy(str(copy), fresh).document == with_trees()
    assert fresh.read(HASH) == CONTENT
