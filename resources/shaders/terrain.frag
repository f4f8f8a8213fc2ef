#version 330 core
// Calm light: what looks up is brightest, sides differ a little by where they look; the floor's grid goes on on top.
uniform vec3 grid;
uniform float grid_strength;
in vec3 place;
flat in vec3 normal;
flat in vec3 face_colour;
out vec4 colour;

// How much of a pixel is covered by lines `every` metres apart; none where they would be finer than pixels.
float lines(vec2 at, vec2 pixel, float every) {
    vec2 size = pixel / every;
    vec2 away = abs(fract(at / every + 0.5) - 0.5) / size;
    vec2 covered = clamp(1.1 - away, 0.0, 1.0) * (1.0 - smoothstep(0.06, 0.35, size));
    return max(covered.x, covered.y);
}

void main() {
    float lit = 0.74 + 0.26 * normal.y + 0.08 * normal.z - 0.05 * normal.x;
    vec2 pixel = max(fwidth(place.xz), vec2(1e-6));
    float line = max(0.35 * lines(place.xz, pixel, 0.2), 0.8 * lines(place.xz, pixel, 1.0));
    line *= grid_strength * smoothstep(0.5, 0.8, normal.y);
    colour = vec4(face_colour * lit * (1.0 + 0.22 * line), 1.0);
}
