#version 330 core
in float across_px;
flat in float half_px;
flat in vec4 line_colour;
out vec4 colour;

void main() {
    colour = vec4(line_colour.rgb, line_colour.a * clamp(half_px - abs(across_px), 0.0, 1.0));
}
