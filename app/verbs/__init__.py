"""The verbs of the command line. Each module has `add_to(verbs)` and the function it runs."""
