"""The numerical methods of the evaluation: extrema, fits, frequencies, and Rayleigh's equation."""

import math


def parabola(x, y):
    """The extremum (position, value) of the parabola through three points at equal distances."""
    step = x[1] - x[0]
    slope = (y[2] - y[0]) / 2
    curvature = y[2] - 2 * y[1] + y[0]
    if curvature == 0:
        return x[1], y[1]
    offset = -slope / curvature
    return x[1] + offset * step, y[1] + slope * offset + curvature * offset * offset / 2


def extremum(x, y, sign):
    """The largest (sign 1) or smallest (sign -1) value, by the parabola through three samples: (position, value)."""
    n = max(range(1, len(y) - 1), key=lambda i: sign * y[i])
    return parabola(x[n - 1 : n + 2], y[n - 1 : n + 2])


def line_fit(x, y):
    """The line of least squares: (value at 0, slope)."""
    mean_x = sum(x) / len(x)
    mean_y = sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return mean_y - slope * mean_x, slope


def slope_of_log(x, y):
    """The exponent of a power law."""
    return line_fit([math.log(a) for a in x], [math.log(b) for b in y])[1]


def growth_rate(time, energy, start, end):
    """sigma of an energy that grows by exp(2 sigma t), from `start` to `end`."""
    chosen = [(t, 0.5 * math.log(e)) for t, e in zip(time, energy) if start <= t <= end]
    return line_fit([t for t, _ in chosen], [e for _, e in chosen])[1]


def derivative(time, values):
    """Central differences: (times, derivatives) without the first and the last."""
    rates = [(values[n + 1] - values[n - 1]) / (time[n + 1] - time[n - 1]) for n in range(1, len(time) - 1)]
    return time[1:-1], rates


def frequency(time, values):
    """The frequency of an oscillation about its mean, from its upward crossings."""
    mean = sum(values) / len(values)
    crossings = [
        time[n] + (time[n + 1] - time[n]) * (mean - values[n]) / (values[n + 1] - values[n])
        for n in range(len(time) - 1)
        if values[n] <= mean < values[n + 1]
    ]
    if len(crossings) < 3:
        return math.nan
    return (len(crossings) - 1) / (crossings[-1] - crossings[0])


def dominant_frequency(time, values, lowest, highest):
    """The frequency of the sinusoid that fits values about their mean with the least squares, also of a few periods."""
    mean = sum(values) / len(values)
    rest = [value - mean for value in values]

    def explained(f):
        c = [math.cos(2 * math.pi * f * t) for t in time]
        s = [math.sin(2 * math.pi * f * t) for t in time]
        cc, ss, cs = (sum(p * q for p, q in zip(a, b)) for a, b in ((c, c), (s, s), (c, s)))
        cr, sr = (sum(p * q for p, q in zip(a, rest)) for a in (c, s))
        return (cr * cr * ss - 2 * cr * sr * cs + sr * sr * cc) / (cc * ss - cs * cs)

    return max((lowest + (highest - lowest) * n / 1000 for n in range(1001)), key=explained)


def difference(a, b):
    """The L1 norm of a - b over that of b."""
    return sum(abs(p - q) for p, q in zip(a, b)) / sum(abs(q) for q in b)


def root(function, lower, upper):
    """A zero between two points of different sign, by bisection."""
    at_lower = function(lower)
    for _ in range(60):
        middle = 0.5 * (lower + upper)
        at_middle = function(middle)
        if (at_middle > 0) == (at_lower > 0):
            lower, at_lower = middle, at_middle
        else:
            upper = middle
    return 0.5 * (lower + upper)


def shear_growth_rate(k):
    """
    The growth rate k c_i of a disturbance of wave number k of U = tanh y by Rayleigh's equation
        phi'' = (k^2 + U'' / (U - c)) phi,   c = i c_i,   phi -> exp(-k |y|)
    (Michalke 1964). phi has an even real and an odd imaginary part, so that with phi(0) = 1 the logarithmic derivative
    z = phi'/phi at 0 is imaginary. z is integrated from far below, where it is k, with z' = k^2 + U''/(U - c) - z^2.
    """

    def real_part_at_center(speed):
        count = 300
        y = -7.0
        step = -y / count
        z = complex(k, 0)

        def right(position, value):
            u = math.tanh(position)
            return k * k - 2 * u * (1 - u * u) / complex(u, -speed) - value * value

        for _ in range(count):
            k1 = right(y, z)
            k2 = right(y + step / 2, z + step / 2 * k1)
            k3 = right(y + step / 2, z + step / 2 * k2)
            k4 = right(y + step, z + step * k3)
            z += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            y += step
        return z.real

    if k >= 1:
        return 0.0
    return k * root(real_part_at_center, 0.02, 1.0)
