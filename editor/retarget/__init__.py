"""Motions on other bodies: what a body is at rest (`stance`, `character`), which joint follows which (`mapping`), and
carrying a motion over, whole (`carry`, with the places of feet and hands in `reaching`) or frame by frame (`online`).
"""
