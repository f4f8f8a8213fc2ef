"""Extreme poses: the state that views share, the panel, and the lanes of the timeline."""
