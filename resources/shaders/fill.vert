#version 330 core
// A triangle of a flat shape.
uniform mat4 to_clip;
layout(location = 1) in vec3 first;
layout(location = 2) in vec3 second;
layout(location = 3) in vec3 third;
layout(location = 4) in vec4 paint;
flat out vec4 fill_colour;

void main() {
    fill_colour = paint;
    gl_Position = to_clip * vec4(gl_VertexID == 0 ? first : gl_VertexID == 1 ? second : third, 1.0);
}
