"""The figures by which motions are judged, and where they are worst."""
