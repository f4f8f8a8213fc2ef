#version 330 core
// Sky and ground with a soft horizon between them, and a metre grid that fades out.
uniform vec3 sky;
uniform vec3 horizon;
uniform vec3 ground;
uniform vec3 grid;
uniform float ground_height;
uniform float grid_strength;
uniform vec3 target;
uniform float distance_to_target;
in vec3 ray_near;
in vec3 ray_far;
out vec4 colour;

// How much of a pixel is covered by lines `every` metres apart; none where they would be finer than pixels.
float lines(vec2 place, vec2 pixel, float every) {
    vec2 size = pixel / every;
    vec2 away = abs(fract(place / every + 0.5) - 0.5) / size;
    vec2 covered = clamp(1.1 - away, 0.0, 1.0) * (1.0 - smoothstep(0.06, 0.35, size));
    return max(covered.x, covered.y);
}

void main() {
    vec3 along = ray_far - ray_near;
    float up = normalize(along).y;
    colour = vec4(mix(horizon, sky, smoothstep(0.0, 0.55, abs(up))), 1.0);
    float t = (ground_height - ray_near.y) / along.y;
    vec2 place = ray_near.xz + t * along.xz;
    vec2 pixel = fwidth(place);
    if (t <= 0.0 || t >= 1.0) return;
    float steep = abs(up);
    vec3 floor_colour = mix(horizon, ground, smoothstep(0.0, 0.22, steep));
    if (grid_strength > 0.0) {
        float away = length(place - target.xz);
        float reach = 6.0 + 2.5 * distance_to_target;
        float fade = grid_strength * smoothstep(reach, 0.12 * reach, away);
        float fine = 0.30 * lines(place, pixel, 0.2) * smoothstep(0.45 * reach, 0.0, away);
        float metres = 0.75 * lines(place, pixel, 1.0);
        vec2 zero = clamp(1.3 - abs(place) / pixel, 0.0, 1.0);
        float line = max(max(fine, metres), max(zero.x, zero.y));
        floor_colour = mix(floor_colour, grid, line * fade);
    }
    colour.rgb = floor_colour;
}
