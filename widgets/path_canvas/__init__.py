"""The Walk workspace: a path drawn on the floor seen from above, the styles along it, and the walk it makes."""
