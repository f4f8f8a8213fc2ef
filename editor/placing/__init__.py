"""Where a clip is and which way it faces: moved, turned, mirrored, walked in place."""
