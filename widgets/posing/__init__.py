"""Posing by hand: the state that views share, the tools and their bar, the lane of poses, fields of the Inspector."""
