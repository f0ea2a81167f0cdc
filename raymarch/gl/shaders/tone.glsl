// From radiance to 8-bit display values: raymarch/tone.c.
vec3 tone_curve(vec3 radiance)
{
    vec3 x = clamp(display.x * radiance, 0.0, 1e6);
    float peak = max(x.r, max(x.g, x.b));
    if (display.y > 0.0 && peak > 1.0) {
        x = mix(vec3(peak), x, 1.0 / (1.0 + WHITENING * (peak - 1.0)));
    }
    vec3 filmic = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return min(display.y > 0.0 ? filmic : x, 1.0);
}

vec3 srgb_from_linear(vec3 linear)
{
    vec3 curved = 1.055 * pow(max(linear, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(curved, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}

// ordered dithering in (0, 1): the 8 x 8 matrix of Bayer
float dither_at(ivec2 pixel)
{
    int a = pixel.x ^ pixel.y;
    int b = pixel.y;
    int entry = (a & 1) << 5 | (b & 1) << 4 | (a & 2) << 2 | (b & 2) << 1 | (a & 4) >> 1 | (b & 4) >> 2;
    return (float(entry) + 0.5) / 64.0;
}

// truncated to 8 bits here, since the framebuffer would round to nearest
vec4 displayed(vec3 radiance, ivec2 pixel)
{
    vec3 bits = floor(min(255.0 * srgb_from_linear(tone_curve(radiance)) + dither_at(pixel), 255.0));
    return vec4(bits / 255.0, 1.0);
}
