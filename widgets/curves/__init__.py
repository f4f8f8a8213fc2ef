"""The curve editor: channels of the selected joints over time, and the keys on them."""
