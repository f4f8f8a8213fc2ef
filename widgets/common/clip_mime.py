"""How a clip of the library is carried by the mouse: its id, for whoever takes clips."""

CLIP_FORMAT = "application/x-motionwright-clip"
