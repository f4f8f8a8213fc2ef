"""The timeline: playback, the ruler, and lanes that show and edit what happens when."""
