#version 330 core
// The shadow of a figure where it falls on what stands on the floor: straight down.
uniform mat4 to_clip;
uniform vec3 centre;
uniform float half_side;
layout(location = 1) in vec3 first;
layout(location = 2) in vec3 second;
layout(location = 3) in vec3 third;
layout(location = 4) in vec3 face_normal;
out vec2 at;
flat out float upward;

void main() {
    vec3 place = gl_VertexID == 0 ? first : gl_VertexID == 1 ? second : third;
    at = 0.5 * (place.xz - centre.xz) / half_side + 0.5;
    upward = smoothstep(0.2, 0.6, face_normal.y);
    gl_Position = to_clip * vec4(place, 1.0);
}
