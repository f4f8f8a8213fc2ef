"""What puts it together: the command line, the window, settings. Nobody imports this package."""

VERSION = "0.1.0"
