"""The figures by which motions are judged, as chips."""
