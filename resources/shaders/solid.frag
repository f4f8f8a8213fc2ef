#version 330 core
// Gentle light from above and from the left of the camera, a little sky and ground, and darker edges, so that parts
// of one colour stand apart and no figure merges with what is behind it.
uniform vec3 eye;
uniform vec3 light;
in vec3 normal;
in vec3 place;
flat in vec4 part_colour;
out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye - place);
    float facing = clamp(dot(n, to_eye), 0.0, 1.0);
    float lit = 0.66 + 0.12 * n.y + 0.30 * max(dot(n, light), 0.0);
    float edge = 1.0 - facing;
    lit *= 1.0 - 0.30 * edge * edge * edge;
    float gleam = 0.10 * pow(max(dot(n, normalize(light + to_eye)), 0.0), 24.0);
    colour = vec4(part_colour.rgb * lit + gleam, part_colour.a);
}
