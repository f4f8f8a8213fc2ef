"""What a motion is: plain data and kernels on arrays. No Qt, no OpenGL, no user interface."""
