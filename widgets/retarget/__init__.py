"""Putting clips on other bodies: which character, and which of its joints follows which."""
