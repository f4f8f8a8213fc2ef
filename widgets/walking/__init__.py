"""Walks along a path: the state that views share, the canvas, styles, speeds, the lane and the tool."""
