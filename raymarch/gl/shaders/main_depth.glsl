// Depth only; colors are masked.
out vec4 color;

void main()
{
    vec2 point = picture_point(gl_FragCoord.xy, 1.0);
    vec3 origin = view_origin(point);
    vec3 direction = view_direction(point);
    gl_FragDepth = depth_of(origin, direction, intersect_surfaces(origin, direction).distance);
    color = vec4(0.0);
}
