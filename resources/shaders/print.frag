#version 330 core
uniform float rim_px;
in vec2 at;
flat in vec4 rim_colour;
flat in float inside;
out vec4 colour;

void main() {
    float away = length(at) - 1.0;
    float pixel = max(length(vec2(dFdx(away), dFdy(away))), 1e-6);
    float rim = clamp(0.5 * rim_px + 0.5 - abs(away) / pixel, 0.0, 1.0);
    float fill = inside * clamp(0.5 - away / pixel, 0.0, 1.0);
    colour = vec4(rim_colour.rgb, rim_colour.a * max(rim, fill));
    if (colour.a < 0.004) discard;
}
