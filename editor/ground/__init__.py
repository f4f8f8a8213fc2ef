"""What stands on the floor, as hands draw and pull it."""
