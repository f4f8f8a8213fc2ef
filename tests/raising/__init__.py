"""A feature as another package would bring it: an edit, a command and a verb, with no line of the product for it.

It names itself relatively, so that it can be put beside the program as a package `raising` of its own.
"""
