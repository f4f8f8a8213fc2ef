"""A random driver of real windows: does what hands could do, and records whatever goes wrong.

    python -m tests.benchmarks driver --minutes 30 --seed 7      half an hour
    python -m tests.driver --seed 7 --steps 200 --folder F       one window, in this process and on this screen

It knows no handlers: widgets and actions are found by looking at the screen, so it guards the program whichever way its
inside is arranged. Only `stage` knows names of the window.

`stage` opens the window on a project; `seeing` finds what can be reached; `hand` is mouse and keyboard; `deeds`,
`key_deeds` and `window_deeds` are what hands do; `driving` does one after another; `watching` records; `running` runs
it as a child and tells of crashes.
"""
