"""The 3D view: figures on the ground, seen by a camera, drawn with OpenGL or, where there is none, with QPainter."""
