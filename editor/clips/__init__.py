"""Clips of files, and of other clips one after another."""
