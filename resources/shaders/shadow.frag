#version 330 core
uniform sampler2D darkness;
uniform float strength;
in vec2 at;
out vec4 colour;

void main() {
    colour = vec4(0.0, 0.0, 0.0, strength * texture(darkness, at).r);
}
