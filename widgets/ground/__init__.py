"""Objects on the ground: the state that views share, the tool, its bar, and the fields of the Inspector."""
