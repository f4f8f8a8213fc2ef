"""What several widgets share: colours, icons, small building blocks."""
