"""Extreme poses and extrema of joints: measured (`measures`, `neighbourhood`), picked out (`selecting`, `holds`), and
put together (`find`). Coleman 2012, chapter 5.
"""
