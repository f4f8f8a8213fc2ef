"""Spatial exaggeration: extreme poses, or joints, moved apart or together. Coleman 2012, chapter 8."""
