"""Data that comes with Motionwright: samples, shaders, icons, theme."""
