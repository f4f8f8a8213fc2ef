"""Target poses that the whole motion follows, feet on the ground: the closed-form solver of Coleman 2012, chapter 6.

* `asked`: what goes in, `PoseChange` with its `Target` moments, and what comes out, `Solution` with its `Override`s.
* `solve`: `solve`, the steps one after the other, on the frames that they reach.

`posed` (joints of the posed body), `footing` (a limb and its contacts), `root` (6.6.2), `swing` (6.6.3), `bending` and
`airborne` (6.6.4) and `curves` serve it. Places on the floor are complex numbers z + i x there: a turn about Y is a
factor.
"""
