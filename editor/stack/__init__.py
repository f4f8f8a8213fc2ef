"""Clips as stacks of edits: commands that build them and the evaluator that turns them into takes. No Qt."""
