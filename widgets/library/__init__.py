"""The library of clips, and the report of what was found while reading them."""
