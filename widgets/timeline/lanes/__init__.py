"""Lanes of the timeline, one kind of thing each."""
