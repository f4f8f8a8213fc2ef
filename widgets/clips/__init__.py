"""Clips of files and of other clips: what the Inspector tells of a file, whether it is stale, joining clips."""
