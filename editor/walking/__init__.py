"""Walking a path from one straight clip per style: loops, what plays when, the way on the floor. Kim and Neff 2011."""
