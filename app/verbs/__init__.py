"""The verbs of the command line that are no feature's: those that draw with widgets, or that repeat other verbs."""
