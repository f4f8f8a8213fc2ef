"""The panels around the viewport: library, edit stack, inspector, history, import report, quality chips."""
