#version 330 core
// A triangle of what stands on the floor.
uniform mat4 to_clip;
layout(location = 1) in vec3 first;
layout(location = 2) in vec3 second;
layout(location = 3) in vec3 third;
layout(location = 4) in vec3 face_normal;
layout(location = 5) in vec3 paint;
out vec3 place;
flat out vec3 normal;
flat out vec3 face_colour;

void main() {
    place = gl_VertexID == 0 ? first : gl_VertexID == 1 ? second : third;
    normal = face_normal;
    face_colour = paint;
    gl_Position = to_clip * vec4(place, 1.0);
}
