"""The edit stack of a clip, and the history of what was done."""
