"""Sources: where takes come from, each kind a frozen dataclass. `editor.kinds` lists them."""
