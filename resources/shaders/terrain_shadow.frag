#version 330 core
uniform sampler2D darkness;
uniform float strength;
in vec2 at;
flat in float upward;
out vec4 colour;

void main() {
    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) discard;
    colour = vec4(0.0, 0.0, 0.0, upward * strength * texture(darkness, at).r);
}
