"""`motionwright quality`."""

import json

import pytest

from model.files.bvh import write_bvh
from tests.calls import call
from tests.clips import sliding_figure


@pytest.fixture
def skating_clip(tmp_path):
    path = tmp_path / "skating.bvh"
    write_bvh(sliding_figure(), path)
    return path


def test_quality_as_json_holds_what_the_design_says(capsys, skating_clip, tmp_path):
    path = tmp_path / "path.json"
    path.write_text('{"points": [[0, 0], [0, 10]]}')
    status, out, _ = call(
        capsys, "quality", skating_clip, "--path", path, "--reference", skating_clip, "--seam", 60, "--json"
    )
    assert status == 0
    told = json.loads(out)
    assert list(told) == [
        "skate_ratio", "skate_ratio_fast", "contact_drift_mean_cm", "contact_drift_worst_cm", "penetration_cm",
        "seam_cm", "seam_angular_ratio", "path_error_mean_cm", "path_error_worst_cm", "heading_error_mean_deg",
        "stretch_percent", "jerk_p99", "jerk_ratio", "step_ratio", "pose_match_deg",
    ]  # fmt: skip
    assert [name for name, value in told.items() if value is None] == ["pose_match_deg"]
    assert told["path_error_worst_cm"] == pytest.approx(8 * 3, abs=1.0)
    text = call(capsys, "quality", skating_clip, "--path", path)[1]
    assert "distance from the path, mean" in text
    assert "against the reference" not in text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[[0, 0], [1, 1]]", 'a path looks like {"points"'),
        ('{"points": 3}', 'a path looks like {"points"'),
        ('{"points": [[0, 0], [1, "a"]]}', 'point 1 is [1,"a"]; it must be two numbers'),
        ('{"points": [[0, 0], [1, 2, 3]]}', "point 1 is [1,2,3]"),
        ('{"points": [[0, 0], [0, 0]]}', "two points that differ"),
        ('{"points": [[0, 0], [0, 1e9]]}', "lengths are metres"),
        ('{"points": [[0, 0],\n [0, }', "path.json:2: is not JSON"),
    ],
)
def test_paths_that_are_none_are_refused_with_the_reason(capsys, skating_clip, tmp_path, content, reason):
    (tmp_path / "path.json").write_text(content)
    status, out, err = call(capsys, "quality", skating_clip, "--path", tmp_path / "path.json")
    assert (status, out) == (2, "")
    assert reason in err
