"""Staggered poses: what belongs together in a pose, and how much earlier or later each joint gets there.

Found in a motion (`finding`), held as times and refinements (`poses`), refined (`refining`), shown at other moments
(`warping`), given other values (`transitions`, `reshaping`), or turned in phase (`phase`). Coleman 2012, chapter 7.
"""
