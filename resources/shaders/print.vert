#version 330 core
// An oval flat on the ground.
uniform mat4 to_clip;
layout(location = 1) in vec3 centre;
layout(location = 2) in vec3 long_half;
layout(location = 3) in vec3 wide_half;
layout(location = 4) in vec4 paint;
layout(location = 5) in float fill;
out vec2 at;
flat out vec4 rim_colour;
flat out float inside;

void main() {
    at = 1.2 * (2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1) - 1.0);
    rim_colour = paint;
    inside = fill;
    gl_Position = to_clip * vec4(centre + at.x * long_half + at.y * wide_half, 1.0);
}
