"""The document that is worked on: history, session, what is shown, work in the background."""
