"""Staggered poses: the state that views share, their lane, and posing them."""
