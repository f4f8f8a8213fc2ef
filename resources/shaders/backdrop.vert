#version 330 core
// One triangle over the whole picture. Where the ray of each pixel starts and ends is linear across it.
uniform mat4 from_clip;
out vec3 ray_near;
out vec3 ray_far;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    vec4 near_point = from_clip * vec4(corner, -1.0, 1.0);
    vec4 far_point = from_clip * vec4(corner, 1.0, 1.0);
    ray_near = near_point.xyz / near_point.w;
    ray_far = far_point.xyz / far_point.w;
    gl_Position = vec4(corner, 1.0, 1.0);
}
