"""What can be done to a motion: methods on arrays, and the document that holds the work."""
