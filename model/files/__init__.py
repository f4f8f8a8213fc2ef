"""Motion files in and out: bytes on one side, motions on the other.

`formats` picks the reader or writer by the file's extension; each format has a module of its own.
"""
