"""Files broken in ways that their formats suggest: every reader reads or refuses them, in little time and memory."""
