"""Between a window and the features at work in it: what it gives them, and what they bring."""
