"""Commands: everything that can be done to a project, as named functions from one project to the next."""
