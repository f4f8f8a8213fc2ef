#version 330 core
// The square of ground about a figure, with its shadow laid over.
uniform mat4 to_clip;
uniform vec3 centre;
uniform float half_side;
out vec2 at;

void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 corner = 2.0 * at - 1.0;
    gl_Position = to_clip * vec4(centre + half_side * vec3(corner.x, 0.0, corner.y), 1.0);
}
