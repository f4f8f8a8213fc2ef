#version 330 core
// A line as a ribbon of some pixels' width, which faces the camera; core profiles draw no wide lines.
uniform mat4 to_clip;
uniform vec2 half_size_px;
uniform float nearest;
layout(location = 1) in vec3 start;
layout(location = 2) in vec3 end;
layout(location = 3) in vec4 paint;
layout(location = 4) in float width;
out float across_px;
flat out float half_px;
flat out vec4 line_colour;

void main() {
    vec4 a = to_clip * vec4(start, 1.0);
    vec4 b = to_clip * vec4(end, 1.0);
    // What is behind the camera is cut off before it is flattened.
    if (a.w < nearest && b.w > nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest && a.w > nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    vec2 way = b.xy / b.w * half_size_px - a.xy / a.w * half_size_px;
    vec2 ahead = length(way) > 1e-4 ? normalize(way) : vec2(1.0, 0.0);
    vec2 aside = vec2(-ahead.y, ahead.x);
    half_px = 0.5 * width + 0.75;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    vec4 point = gl_VertexID < 2 ? a : b;
    // The ends of lines that follow each other overlap, but not where they would show through each other.
    float beyond = paint.a < 1.0 ? 0.0 : 0.4 * width;
    vec2 shift = aside * side * half_px + ahead * (gl_VertexID < 2 ? -beyond : beyond);
    across_px = side * half_px;
    line_colour = paint;
    gl_Position = point + vec4(shift / half_size_px * point.w, 0.0, 0.0);
    if (a.w < nearest && b.w < nearest) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
