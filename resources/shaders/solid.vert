#version 330 core
// A rounded part: a unit capsule stretched between two ellipses. `sphere` is a direction on the unit sphere, and 0
// for the start's half of it, 1 for the end's.
uniform mat4 to_clip;
layout(location = 0) in vec4 sphere;
layout(location = 1) in vec3 start;
layout(location = 2) in vec3 end;
layout(location = 3) in vec3 across;
layout(location = 4) in vec3 through;
layout(location = 5) in vec4 radii;
layout(location = 6) in vec2 caps;
layout(location = 7) in vec4 slopes;
layout(location = 8) in vec4 paint;
out vec3 normal;
out vec3 place;
flat out vec4 part_colour;

void main() {
    vec3 along = normalize(cross(across, through));
    vec2 size = max(mix(radii.xy, radii.zw, sphere.w), vec2(1e-6));
    float tip = min(size.x, size.y);
    vec3 half_axes = vec3(size.x, tip * mix(caps.x, caps.y, sphere.w), size.y);
    vec3 offset = sphere.xyz * half_axes;
    place = mix(start, end, sphere.w) + across * offset.x + along * offset.y + through * offset.z;
    // Where a part gets thicker or thinner, its surface leans: the gradient of (x / w)^2 + (z / d)^2 along it.
    float lean = dot(sphere.xz * sphere.xz, mix(slopes.xy, slopes.zw, sphere.w) / size);
    normal = across * sphere.x / size.x + along * (sphere.y / tip - lean) + through * sphere.z / size.y;
    part_colour = paint;
    gl_Position = to_clip * vec4(place, 1.0);
}
