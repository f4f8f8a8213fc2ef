"""Curves of channels: keys and what goes through them (`keys`, `channels`), and dense motion made sparse (`reduce`)."""
