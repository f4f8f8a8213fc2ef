"""Posing by hand: one frame of a motion, dragged, turned, mirrored and pasted, and kept as target poses.

* `pose`: `Pose`, `Pin`, `pins_of`, and `Posed`, what every kernel gives: the new pose and what it could not meet.
* `drag`: `drag`, `turn`, `look_at`. All work from the pose at the drag's start: the same goal gives the same pose.
* `transfer`: `mirrored`, `pasted`.
* `keying`: `seen_pose`, `offsets_between`, `target_pose`: between poses and the `TargetPoses` edit that keeps them.
* `similar`: `find_alike`, `repeated`: the moments like one of a motion, and a target pose put there, mirrored too.
* `grounded`: the solver that lets a motion follow target poses with its feet planted.

`body`, `settling` and `tuples` serve these. Nothing here knows of Qt, projects or the mouse.
"""
