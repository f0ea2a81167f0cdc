"""Particles: the drag of spheres and of discs in still air."""

import math
import statistics

from case import flow

AIR = 1.1766  # density [kg/m^3]
VISCOSITY = 1.846e-5  # [Pa s]
GRAVITY = 9.81
SAND = 2650  # [kg/m^3]


def stokes_velocity(diameter):
    return (SAND - AIR) * GRAVITY * diameter**2 / (18 * VISCOSITY)


def terminal_velocity(diameter):
    """Where weight and the drag of Schiller and Naumann 1933 balance, by bisection."""
    lower, upper = 0, stokes_velocity(diameter)
    for _ in range(100):
        speed = (lower + upper) / 2
        reynolds = AIR * speed * diameter / VISCOSITY
        factor = 1 + 0.15 * reynolds**0.687 if reynolds <= 1000 else 0.44 * reynolds / 24
        lower, upper = (speed, upper) if factor * speed < stokes_velocity(diameter) else (lower, speed)
    return upper


def fall(case, key, values):
    """The particles of the last frame."""
    run = case.run("falling_spheres", key=key, values=values, output=["points.####.ply", "--fields", "particles"])
    return run.points(values["time.frames"])


@flow("falling-spheres", "Spheres that fall")
def falling_spheres(case):
    for diameter in 2e-5, 1e-4, 5e-4, 2e-3, 1e-2:
        points = fall(case, f"{diameter:g}", {"particles.embers.diameter": diameter, "time.fps": 4, "time.frames": 80})
        quantity = f"terminal velocity of a sphere of {1000 * diameter:g} mm [m/s]"
        speed = -statistics.fmean(points["vy"])
        case.near(quantity, speed, terminal_velocity(diameter), 0.01, "Schiller, Naumann 1933")
    diameter = 2e-5
    time = (SAND + AIR / 2) * diameter**2 / (18 * VISCOSITY)
    for steps in 4, 16:
        values = {"particles.embers.diameter": diameter, "time.fps": steps / time, "time.frames": steps}
        points = fall(case, f"relaxation-{steps}", values)
        expected = [stokes_velocity(diameter) * (1 - math.exp(-age / time)) for age in points["age"]]
        quantity = f"mean velocity of spheres of .02 mm, born in the first of {steps} steps, after the relaxation time [m/s]"
        speed = -statistics.fmean(points["vy"])
        case.near(quantity, speed, statistics.fmean(expected), 0.01, "exact")
