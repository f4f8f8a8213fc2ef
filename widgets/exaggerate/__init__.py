"""Motions made larger or more subtle: the panel with its sliders, the parts of the body and the curve over time."""
