"""BVH files as text, small and made to measure."""

SMALL = """\
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 5 1
    }
  }
  JOINT Leg
  {
    OFFSET 4 -1.5 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.04
1 90 2  10 20 30  1 2 3  4 5 6
1.5 91 2.5  11 21 31  -1 -2 -3  370 5 6
2 92 3  12 22 32  0 0 0  4 -185.5 6
"""

HEADER, ROWS = SMALL.split("Frame Time: 0.04\n")
HEADER += "Frame Time: 0.04\n"
ROW_LIST = ROWS.strip().split("\n")


def with_rows(*rows: str, frames: int | str | None = None) -> str:
    """The small file with other rows."""
    text = HEADER if frames is None else HEADER.replace("Frames: 3", f"Frames: {frames}")
    return text + "\n".join(rows) + "\n"
