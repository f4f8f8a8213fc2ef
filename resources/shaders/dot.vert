#version 330 core
// A round mark of a fixed size on the screen.
uniform mat4 to_clip;
uniform vec2 half_size_px;
layout(location = 1) in vec3 position;
layout(location = 2) in vec4 paint;
layout(location = 3) in float size;
out vec2 at_px;
flat out float half_px;
flat out vec4 dot_colour;

void main() {
    half_px = 0.5 * size;
    at_px = (2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1) - 1.0) * (half_px + 1.0);
    dot_colour = paint;
    vec4 centre = to_clip * vec4(position, 1.0);
    gl_Position = centre + vec4(at_px / half_size_px * centre.w, 0.0, 0.0);
}
