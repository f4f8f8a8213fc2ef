#version 330 core
in vec2 at_px;
flat in float half_px;
flat in vec4 dot_colour;
out vec4 colour;

void main() {
    float covered = clamp(half_px + 0.5 - length(at_px), 0.0, 1.0);
    if (covered <= 0.0) discard;
    colour = vec4(dot_colour.rgb, dot_colour.a * covered);
}
