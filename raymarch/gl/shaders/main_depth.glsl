// Depth only; colors are masked.
out vec4 color;

void main()
{
    vec3 direction = view_direction(picture_point(gl_FragCoord.xy, 1.0));
    gl_FragDepth = depth_of(eye.xyz, direction, intersect_surfaces(eye.xyz, direction).distance);
    color = vec4(0.0);
}
