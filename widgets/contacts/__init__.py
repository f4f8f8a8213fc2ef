"""Ground contacts in the timeline: seen, moved, added and removed."""
