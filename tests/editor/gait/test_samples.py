"""The bundled clips: that they are what their recipes make, and that they are good."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from editor.gait import samples
from editor.gait.samples import SAMPLES
from model.files.formats import read_motion
from model.roles import Role

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "samples"
REFRESH = "to write them anew: python -c \"from pathlib import Path; import editor.gait.samples as s; s.write_samples(Path('resources/samples'))\""  # noqa: E501

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


@cache
def reading(sample):
    return read_motion(FOLDER / f"{sample.name}.bvh")


@cache
def made(sample):
    return sample.make()


def test_there_is_a_file_for_every_recipe_and_no_other():
    assert {path.stem for path in FOLDER.glob("*.bvh")} == {sample.name for sample in SAMPLES}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 6_000_000


@every_sample
def test_the_file_holds_what_the_recipe_makes(sample):
    motion, kept = made(sample)[0], reading(sample).motion
    assert kept.frames == motion.frames, REFRESH
    np.testing.assert_allclose(kept.world.positions, motion.world.positions, atol=1e-5, err_msg=REFRESH)
    np.testing.assert_allclose(kept.frame_time_s, motion.frame_time_s, rtol=1e-9)


@every_sample
def test_the_file_reads_without_problems_and_with_every_role(sample):
    result = reading(sample)
    assert not [problem for problem in result.problems if problem.severity != "note"]
    assert all(result.motion.skeleton.joint(role) is not None for role in Role)
    assert result.motion.origin.unit.metres == 0.01
    assert result.motion.origin.up == "+Y"
    assert result.motion.rest is None
    assert sample.description


@every_sample
def test_planted_feet_do_not_drift_in_the_file(sample):
    motion, contacts = reading(sample).motion, made(sample)[1]
    for side in ("left", "right"):
        toe = motion.world.positions[:, motion.skeleton.joint(Role[f"{side.upper()}_TOE"])]
        assert contacts.limbs[f"{side}_foot"]
        for contact in contacts.limbs[f"{side}_foot"]:
            edge = round(0.2 * (contact.stop - contact.start))
            if contact.start > 0 and contact.stop < contacts.frames:
                planted = toe[contact.start + edge : contact.stop - edge]
                assert np.linalg.norm(planted - planted.mean(axis=0), axis=-1).max() < 0.002


@every_sample
def test_no_joint_jumps(sample):
    """Relative to the pelvis no joint's speed changes in a frame by more than a runner's foot does as it strikes."""
    positions = reading(sample).motion.world.positions
    relative = positions - positions[:, :1]
    assert np.linalg.norm(np.diff(relative, 2, axis=0), axis=-1).max() < 0.035


def test_styles_are_told_apart_by_what_makes_them():
    def motion(name):
        return made(next(sample for sample in SAMPLES if sample.name == name))[0]

    def height(name, role):
        return np.median(motion(name).world.positions[:, motion(name).skeleton.joint(role), 1])

    def knee_above_hip(name):
        world, body = motion(name).world.positions, motion(name).skeleton
        return np.max(world[:, body.joint(Role.LEFT_KNEE), 1] - world[:, body.joint(Role.LEFT_HIP), 1])

    def swing(name):
        world, body = motion(name).world.positions, motion(name).skeleton
        return np.ptp(world[:, body.joint(Role.LEFT_WRIST), 2] - world[:, body.joint(Role.LEFT_SHOULDER), 2])

    assert height("sneak", Role.PELVIS) < height("walk", Role.PELVIS) - 0.08
    assert height("tired", Role.HEAD) < height("walk", Role.HEAD) - 0.03
    assert knee_above_hip("march") > knee_above_hip("walk") + 0.1
    assert swing("tired") < 0.5 * swing("walk") < swing("walk") < swing("happy")


def test_writing_gives_the_bundled_files(tmp_path, monkeypatch):
    few = tuple(sample for sample in SAMPLES if sample.name in ("stand", "wave"))
    monkeypatch.setattr(samples, "SAMPLES", few)
    paths = samples.write_samples(tmp_path)
    assert [path.name for path in paths] == ["stand.bvh", "wave.bvh"]
    for path in paths:
        written, kept = (read_motion(folder / path.name).motion for folder in (tmp_path, FOLDER))
        np.testing.assert_allclose(written.world.positions, kept.world.positions, atol=1e-5, err_msg=REFRESH)
