"""Edits: what can be done to a take, each kind a frozen dataclass of plain values. `editor.kinds` lists them."""
