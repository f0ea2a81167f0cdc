"""Flows along walls and bodies without slip."""

import math

from case import flow
from numerics import dominant_frequency, extremum, frequency

# Ghia, Ghia, Shin 1982, tables I and II: u on the vertical line through the center, v on the horizontal one
GHIA_U = [
    (0.0547, -0.03717), (0.0625, -0.04192), (0.0703, -0.04775), (0.1016, -0.06434), (0.1719, -0.10150),
    (0.2813, -0.15662), (0.4531, -0.21090), (0.5, -0.20581), (0.6172, -0.13641), (0.7344, 0.00332),
    (0.8516, 0.23151), (0.9531, 0.68717), (0.9609, 0.73722), (0.9688, 0.78871), (0.9766, 0.84123),
]
GHIA_V = [
    (0.0625, 0.09233), (0.0703, 0.10091), (0.0781, 0.10890), (0.0938, 0.12317), (0.1563, 0.16077),
    (0.2266, 0.17507), (0.2344, 0.17527), (0.5, 0.05454), (0.8047, -0.24533), (0.8594, -0.22445),
    (0.9063, -0.16914), (0.9453, -0.10313), (0.9531, -0.08864), (0.9609, -0.07391), (0.9688, -0.05906),
]
# Botella, Peyret 1998, tables 9 and 10, Re 1000 (their lid moves in the other direction)
BOTELLA_U = [
    (0.0547, -0.1812881), (0.0625, -0.2023300), (0.0703, -0.2228955), (0.1016, -0.3004561), (0.1719, -0.3885691),
    (0.2813, -0.2803696), (0.4531, -0.1081999), (0.5, -0.0620561), (0.6172, 0.0570178), (0.7344, 0.1886747),
    (0.8516, 0.3372212), (0.9531, 0.4723329), (0.9609, 0.5169277), (0.9688, 0.5808359), (0.9766, 0.6644227),
]
BOTELLA_V = [
    (0.0625, 0.2807056), (0.0703, 0.2962703), (0.0781, 0.3099097), (0.0938, 0.3330442), (0.1563, 0.3769189),
    (0.2266, 0.3339924), (0.2344, 0.3253592), (0.5, 0.0257995), (0.8047, -0.3202137), (0.8594, -0.4264545),
    (0.9063, -0.5264392), (0.9453, -0.4103754), (0.9531, -0.3553213), (0.9609, -0.2936869), (0.9688, -0.2279225),
]  # fmt: skip


@flow("lid-driven-cavity", "Lid-driven cavity", minutes=4)
def lid_driven_cavity(case):
    cells = case.pick(128, 64)
    case.table("ghia-u", GHIA_U)
    case.table("ghia-v", GHIA_V)
    case.table("botella-u", BOTELLA_U)
    case.table("botella-v", BOTELLA_V)
    flows = [
        (100, 0.01, "Marchi, Suero, Araki 2009", (-0.21404, 0.17957, -0.25380)),
        (1000, 0.02, "Botella, Peyret 1998", (-0.38857, 0.37694, -0.52708)),
    ]
    for reynolds, tolerance, source, published in flows[:1] if case.quick else flows:
        values = {"solver.resolution": [cells, cells, 1], "air.viscosity": 1 / reynolds}
        # half of the cells: four times the error of second order
        tolerance = case.pick(tolerance, 4 * tolerance)
        run = case.run("lid_driven_cavity", f"re{reynolds}", values, until_steady=1e-5)
        vertical = run.probe("vertical").last_frame()
        horizontal = run.probe("horizontal").last_frame()
        case.table(f"u{reynolds}", zip(vertical["y"], vertical["velocity_x"]))
        case.table(f"v{reynolds}", zip(horizontal["x"], horizontal["velocity_y"]))
        # every second sample is at a place where the component is stored
        y, u = vertical["y"][1::2], vertical["velocity_x"][1::2]
        x, v = horizontal["x"][1::2], horizontal["velocity_y"][1::2]
        if cells != 128:
            y, u = vertical["y"][2::4], vertical["velocity_x"][2::4]
            x, v = horizontal["x"][2::4], horizontal["velocity_y"][2::4]
        for name, value, expected in zip(
            ("u_min", "v_max", "v_min"), (extremum(y, u, -1)[1], extremum(x, v, 1)[1], extremum(x, v, -1)[1]), published
        ):
            case.near(f"Re {reynolds}: {name}, {cells}²", value, expected, tolerance, source)


def errors_on_faces(plane, cells, spacing, distance, velocity, wall):
    """
    The (mean, largest) error of the velocity on faces that are open in part at least, over the largest exact one. `plane` has
    the values at all multiples of half a cell. distance(x, y) is above 0 in the air, velocity(x, y) the exact flow, and
    wall(near, x, y) the velocity of the wall near a point, continued to (x, y). A face that is cut has the mean over its open part of the
    velocity relative to the wall, and the velocity of the wall at its center.
    """
    errors = []
    scale = 0.0
    for axis, name in enumerate(("velocity_x", "velocity_y")):
        values = plane[name]
        for j in range(1 - axis, 2 * cells[1], 2):
            for i in range(axis, 2 * cells[0], 2):
                x, y = 0.5 * spacing * i, 0.5 * spacing * j
                if distance(x, y) >= 0.5 * spacing:
                    exact = velocity(x, y)[axis]
                else:
                    offsets = [spacing * ((n + 0.5) / 100 - 0.5) for n in range(100)]
                    points = [(x, y + s) if axis == 0 else (x + s, y) for s in offsets]
                    relative = [velocity(*p)[axis] - wall((x, y), *p)[axis] for p in points if distance(*p) > 0]
                    if not relative:
                        continue
                    exact = sum(relative) / len(relative) + wall((x, y), x, y)[axis]
                scale = max(scale, abs(exact))
                errors.append(abs(values[j * (2 * cells[0] + 1) + i] - exact))
    return sum(errors) / len(errors) / scale, max(errors) / scale


def check_orders(case, scene, grids, distance, velocity, wall, profile):
    """
    Runs a scene on grids, each of half the spacing and half the step of the one before: (cells, spacing, steps a frame), and
    checks the orders of the error. profile(x, y, u, v) is a point of the figure, of the coarsest grid.
    """
    rows = []
    for cells, spacing, steps in grids:
        values = {
            "solver.resolution": [*cells, 1],
            "solver.min_steps": steps,
            "solver.max_steps": steps,
            "probes.0.counts": [2 * cells[0] + 1, 2 * cells[1] + 1, 1],
        }
        plane = case.run(scene, f"cells{cells[0]}", values).probe("plane").last_frame()
        rows.append((1 / spacing, *errors_on_faces(plane, cells, spacing, distance, velocity, wall)))
        if len(rows) == 1:
            centers = [
                n for n in range(len(plane["x"])) if n % (2 * cells[0] + 1) % 2 == 1 and n // (2 * cells[0] + 1) % 2 == 1
            ]
            at = [[plane[name][n] for name in ("x", "y", "velocity_x", "velocity_y")] for n in centers]
            case.table("profile", [profile(*point) for point in at if distance(*point[:2]) > 0])
    case.table("errors", rows)
    coarsest, finest = grids[0][0], grids[-1][0]
    for column, name, limit in ((1, "mean", 1.8), (2, "largest", 0.9)):
        orders = [math.log2(a[column] / b[column]) for a, b in zip(rows, rows[1:])]
        title = f"lowest order of the {name} error from {coarsest[0]} × {coarsest[1]} to {finest[0]} × {finest[1]} cells"
        case.at_least(title, min(orders), limit, "exact solution", "2" if column == 1 else "–")
    case.at_most(f"mean error, {finest[0]} × {finest[1]} cells, over the largest velocity", rows[-1][1], case.pick(1e-4, 5e-4), "exact solution", "0")


@flow("poiseuille", "Flow in a turned channel", minutes=1)
def poiseuille(case):
    length = math.hypot(26, 15)
    along = (26 / length, 15 / length)
    half_width, force = 0.21, 3.0

    def across(x, y):
        period = 0.75 * along[0]
        n = (y - 0.4013) * along[0] - x * along[1]
        return n - period * math.floor(n / period + 0.5)

    def speed(n):
        return 0.5 * force * (half_width**2 - n**2)

    grids = [((26 * n, 15 * n), 0.05 / n, 2 * n) for n in case.pick((2, 4, 8, 16), (2, 4, 8))]
    check_orders(
        case,
        "poiseuille",
        grids,
        distance=lambda x, y: half_width - abs(across(x, y)),
        velocity=lambda x, y: [speed(across(x, y)) * part for part in along],
        wall=lambda near, x, y: (0.0, 0.0),
        profile=lambda x, y, u, v: (across(x, y), u * along[0] + v * along[1]),
    )


@flow("couette", "Flow between turning cylinders", minutes=1)
def couette(case):
    center = (0.503, 0.497)
    inner, outer = 0.17, 0.44  # radii [m]
    spins = (2.0, -0.75)  # [rad/s]
    b = (spins[0] - spins[1]) * inner**2 * outer**2 / (outer**2 - inner**2)
    a = spins[0] - b / inner**2

    def radius(x, y):
        return math.hypot(x - center[0], y - center[1])

    def turning(spin, x, y):
        return (-spin * (y - center[1]), spin * (x - center[0]))

    grids = [((n, n), 1 / n, n // 16) for n in case.pick((32, 64, 128, 256), (32, 64, 128))]
    check_orders(
        case,
        "couette",
        grids,
        distance=lambda x, y: min(radius(x, y) - inner, outer - radius(x, y)),
        velocity=lambda x, y: turning(a + b / radius(x, y) ** 2, x, y),
        wall=lambda near, x, y: turning(spins[0] if radius(*near) < 0.5 * (inner + outer) else spins[1], x, y),
        profile=lambda x, y, u, v: (
            radius(x, y),
            (v * (x - center[0]) - u * (y - center[1])) / radius(x, y),
        ),
    )


def coefficients(run, axis, area):
    """Drag or lift of the first body at U = 1 over time."""
    pressure = run.measures[f"body_0_pressure_force_{axis}"]
    viscous = run.measures[f"body_0_viscous_force_{axis}"]
    return [2 * (a + b) / area for a, b in zip(pressure, viscous)]


def end_of_wake(axis):
    """Where the velocity on the axis behind a body changes its sign [m]."""
    x, u = axis["x"], axis["velocity_x"]
    n = next(n for n in range(1, len(x)) if u[n - 1] < 0 <= u[n])
    return x[n - 1] - (x[n] - x[n - 1]) * u[n - 1] / (u[n] - u[n - 1])


def without_walls(blockages, values):
    """The value at blockage 0 of the line through two values."""
    slope = (values[0] - values[1]) / (blockages[0] - blockages[1])
    return values[1] - slope * blockages[1]


def box(cells, size, origin, extra=None):
    """Options of a box of so many diameters, with so many cells for each."""
    values = {"domain.size": size, "domain.origin": origin}
    depth = 1 if size[2] == 1 else round(size[2] * cells)
    values["solver.resolution"] = [size[0] * cells, size[1] * cells, depth]
    values.update(extra or {})
    return values


@flow("cylinder", "Cylinder at Reynolds number 100", minutes=20)
def cylinder(case):
    cells = case.pick(16, 8)  # per diameter
    # the amplitude of the lift is constant after the first half
    frames = {"time.frames": case.pick(600, 400)}
    size, origin = case.pick(([50, 50, 1], [-20, -25, 0]), ([30, 20, 1], [-8, -10, 0]))
    run = case.run("cylinder", "box", box(cells, size, origin, frames))
    time = run.measures["time"]
    lift = coefficients(run, "y", 1 / cells)
    drag = coefficients(run, "x", 1 / cells)
    late = [n for n, t in enumerate(time) if t >= time[-1] / 2]
    case.table("forces", zip(time, lift, drag))
    if not case.quick:
        case.plane("vorticity", run.probe("plane").last_frame(), "vorticity_z")
    strouhal = frequency([time[n] for n in late], [lift[n] for n in late])
    source = "−3.3265/Re + 0.1816 + 1.6e-4 Re (Williamson 1988)"
    case.near(f"Strouhal number, {cells} cells per diameter", strouhal, 0.1643, case.pick(0.03, 0.08), source)
    if not case.quick:
        value = sum(drag[n] for n in late) / len(late)
        source = "Henderson 1995; Park et al. 1998"
        case.near(f"mean drag coefficient, {cells} cells per diameter", value, 1.33, 0.03, source)


@flow("cylinder-40", "Cylinder at Reynolds number 40", quick=False, minutes=5)
def cylinder_40(case):
    still = {"initial": [], "air.viscosity": 0.025, "time.frames": 325}
    run = case.run("cylinder", "wide", box(16, [50, 50, 1], [-20, -25, 0], still))
    drag = coefficients(run, "x", 1 / 16)[-1]
    wake = end_of_wake(run.probe("axis").last_frame()) - 0.5
    source = "1.52 to 1.54: Dennis, Chang 1970; Linnick, Fasel 2005"
    case.near("drag coefficient, 16 cells per diameter", drag, 1.53, 0.03, source)
    case.near("length of the wake [D]", wake, 2.25, 0.05, "2.2 to 2.3: Fornberg 1980; Linnick, Fasel 2005")


def points_near_sphere(distances):
    """Points above a sphere of radius 0.5 at angles of 105 to 149 degrees from the front, and these angles."""
    angles = range(105, 150, 2)
    points = [
        [-(0.5 + s) * math.cos(math.radians(angle)), (0.5 + s) * math.sin(math.radians(angle)), 0]
        for s in distances
        for angle in angles
    ]
    return angles, points


def separation(surface, angles):
    """
    The angle [degrees] at which the velocity along a sphere changes its sign, at the surface by the line through those at
    two distances, of which the second is twice the first.
    """
    found = []
    for first in (0, len(angles)):
        along = []
        for n, angle in enumerate(angles):
            u, v = (surface[f"velocity_{axis}_{first + n}"][0] for axis in "xy")
            along.append(u * math.sin(math.radians(angle)) + v * math.cos(math.radians(angle)))
        n = next(n for n in range(1, len(along)) if along[n - 1] > 0 >= along[n])
        found.append(angles[n - 1] + (angles[n] - angles[n - 1]) * along[n - 1] / (along[n - 1] - along[n]))
    return 2 * found[0] - found[1]


@flow("sphere", "Sphere at Reynolds number 100", quick=False, minutes=8)
def sphere(case):
    cells = 24  # per diameter
    angles, points = points_near_sphere((1.5 / cells, 3 / cells))
    blockages, drags, ends, separations = [], [], [], []
    for width in (4, 6):
        values = box(12, [11, width, width], [-4, -width / 2, -width / 2], {"probes.1.points": points})
        run = case.run("sphere", f"width{width}", values)
        blockages.append(math.pi / 4 / width**2)
        drags.append(coefficients(run, "x", math.pi / 4)[-1])
        ends.append(end_of_wake(run.probe("axis").last_frame()) - 0.5)
        separations.append(separation(run.probe("surface").last_frame(), angles))
    source = "Johnson, Patel 1999"
    case.table("boxes", zip(blockages, drags, ends, separations))
    case.near(f"drag coefficient, {cells} cells per diameter", without_walls(blockages, drags), 1.09, 0.05, source)
    case.near("length of the wake [D]", without_walls(blockages, ends), 0.87, 0.05, source)
    case.near("angle of separation [degrees]", without_walls(blockages, separations), 127, 0.05, source)


@flow("sphere-300", "Sphere at Reynolds number 300", quick=False, minutes=20)
def sphere_300(case):
    cells = 24  # per diameter
    blockages, drags, frequencies = [], [], []
    for width in (4, 6):
        run = case.run("sphere_300", f"width{width}", box(12, [14, width, width], [-4, -width / 2, -width / 2]))
        time = run.measures["time"]
        drag, lift = (coefficients(run, axis, math.pi / 4) for axis in "xy")
        # the change of the grid at t = 60 has no effect any more
        late = [n for n, t in enumerate(time) if t >= 75]
        blockages.append(math.pi / 4 / width**2)
        drags.append(sum(drag[n] for n in late) / len(late))
        frequencies.append(dominant_frequency([time[n] for n in late], [lift[n] for n in late], 0.08, 0.2))
        case.table(f"forces{width}", zip(time, lift, drag))
    source = "Johnson, Patel 1999"
    case.table("boxes", zip(blockages, drags, frequencies))
    case.near(f"mean drag coefficient, {cells} cells per diameter", without_walls(blockages, drags), 0.656, 0.05, source)
    case.near(f"Strouhal number, {cells} cells per diameter", without_walls(blockages, frequencies), 0.137, 0.05, source)
