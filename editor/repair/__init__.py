"""Recordings set right: frames that cannot be, and trembling."""
