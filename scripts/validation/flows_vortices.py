"""Vortices and shear layers without viscosity."""

import math

from case import flow
from numerics import growth_rate, line_fit, shear_growth_rate


@flow("disc-vortex", "Disc vortex", minutes=1)
def disc_vortex(case):
    cells = case.pick(256, 128)
    frames = case.pick(800, 400)
    source = "Zehnder, Narain, Thomaszewski 2018"
    for name, integrator, advection in (
        ("second-order", "second-order", "maccormack"),
        ("split", "split", "maccormack"),
        ("semi-lagrangian", "split", "semi-lagrangian"),
    ):
        if case.quick and name != "second-order":
            continue
        values = {
            "solver.resolution": [cells, cells, 1],
            "solver.integrator": integrator,
            "solver.advection": advection,
            "time.fps": frames / 20,
            "time.frames": frames,
        }
        measures = case.run("disc_vortex", name, values).measures
        share = [e / measures["kinetic_energy"][0] for e in measures["kinetic_energy"]]
        case.table(name, zip(measures["time"], share))
        if name == "second-order":
            case.at_most(f"energy lost in 20 s, {cells}² [%]", 100 * (1 - share[-1]), 3, source, "< 3")
            case.at_most("largest energy [%]", 100 * max(share), 100.5, "conserved", "100")


def vortex_distance(plane):
    """The distance of the centroids of vorticity above 60 % of its maximum, left and right of the axis of symmetry."""
    # The flow is symmetric under a rotation by 180 degrees about the center of the box, so that the distance is twice that
    # of the strongest vortex from the center.
    vorticity = plane["vorticity_z"]
    most = max(vorticity)
    n = vorticity.index(most)
    sums = [0.0, 0.0, 0.0]
    for x, y, w in zip(plane["x"], plane["y"], vorticity):
        near = (x - plane["x"][n]) ** 2 + (y - plane["y"][n]) ** 2 < 0.2**2
        if near and w > 0.6 * most:
            sums = [sums[0] + w, sums[1] + w * x, sums[2] + w * y]
    return 2 * math.hypot(sums[1] / sums[0] - math.pi, sums[2] / sums[0] - math.pi)


@flow("taylor-vortices", "Taylor vortices")
def taylor_vortices(case):
    cells = case.pick(256, 128)
    frames = case.pick(400, 200)
    for name in ("second-order",) if case.quick else ("second-order", "split"):
        values = {
            "solver.resolution": [cells, cells, 1],
            "solver.integrator": name,
            "time.fps": frames / 10,
            "time.frames": frames,
            "probes.0.every": frames // 20,
        }
        run = case.run("taylor_vortices", name, values)
        planes = run.probe("plane").frames()
        rows = [(plane["time"][0], vortex_distance(plane)) for plane in planes.values()]
        case.table(f"{name}-distance", rows)
        if not case.quick:
            for label, frame in (("start", 0), ("end", max(planes))):
                plane = planes[frame]
                case.plane(f"{name}-{label}", plane, "vorticity_z")
        if name == "second-order":
            case.at_least(
                f"distance of the vortices at t = 10 over the initial one, {cells}²",
                rows[-1][1] / 0.81,
                1.2,
                "McKenzie 2007; Qu et al. 2019: they separate",
                "> 1",
            )


@flow("kelvin-helmholtz", "Kelvin-Helmholtz instability", minutes=2)
def kelvin_helmholtz(case):
    source = "Rayleigh's equation (Michalke 1964)"
    cells = case.pick(128, 64)
    rows = []
    for k in (0.4446,) if case.quick else (0.2, 0.3, 0.4446, 0.6, 0.8):
        length = 2 * math.pi / k
        across = 2 * round(cells * max(9.94, 4 / k) / length)  # 2 exp(-2 k y) is small at the walls
        height = length * across / cells
        values = {
            "domain.size": [length, height, 1],
            "domain.origin": [0, -height / 2, 0],
            "solver.resolution": [cells, across, 1],
        }
        measures = case.run("kelvin_helmholtz", f"k{k}", values).measures
        sigma = growth_rate(measures["time"], measures["kinetic_energy_y"], 15, 25)
        rows.append((k, sigma))
        if k == 0.4446:
            case.near(f"growth rate at k = 0.4446, {cells} cells a wavelength", sigma, 0.1897, case.pick(0.03, 0.06), source)
            case.table("energy", zip(measures["time"], measures["kinetic_energy_y"]))
    # the neutral disturbance at k = 1 has the stream function sech(y) cos(x), which neither grows nor moves
    across = round(cells * 19.9 / (2 * math.pi) / 2) * 2
    height = 2 * math.pi * across / cells
    values = {
        "domain.size": [2 * math.pi, height, 1],
        "domain.origin": [0, -height / 2, 0],
        "solver.resolution": [cells, across, 1],
        "time.frames": 80,
        "initial.0.perturbation": 0,
        "initial.1.kind": "formula",
        "initial.1.quantity": "potential",
        "initial.1.formula": '["0", "0", "0.001 * cos(x) / cosh(y)"]',
    }
    measures = case.run("kelvin_helmholtz", "k1", values).measures
    sigma = growth_rate(measures["time"], measures["kinetic_energy_y"], 0, 20)
    rows.append((1, sigma))
    # four times the limit with half of the cells
    case.within(f"growth rate at k = 1, {cells} cells a wavelength", sigma, 0, case.pick(1, 4) * 0.03 * 0.1897, source)
    case.table("computed", rows)
    if not case.quick:
        case.table("exact", [(n / 50, shear_growth_rate(n / 50)) for n in range(1, 48)] + [(1, 0)])


@flow("vortex-ring", "Vortex ring", minutes=3)
def vortex_ring(case):
    # the quick suite has a smaller periodic box, whose images are corrected for in the same way
    cells, side, core = case.pick((128, 6.4, 0.2), (48, 4.8, 0.3))
    values = {
        "domain.size": side,
        "domain.origin": [-side / 2] * 3,
        "solver.resolution": cells,
        "air.wind": [0, 2 / 3 * math.pi / side**3, 0],
        "initial.0.thickness": core,
        "time.frames": case.pick(16, 8),
    }
    planes = case.run("vortex_ring", "ring", values).probe("plane").frames()
    rows = []
    for plane in planes.values():
        # the mean height of the impulse, that is of vorticity times r^2, of the core
        impulse = moment = 0.0
        most = max(abs(w) for w in plane["vorticity_z"])
        for x, y, w in zip(plane["x"], plane["y"], plane["vorticity_z"]):
            weight = abs(w) * x * x if abs(w) > 0.02 * most and 0.3 < abs(x) < 2 else 0.0
            impulse += weight
            moment += weight * y
        rows.append((plane["time"][0], moment / impulse + 1))
    speed = line_fit([t for t, _ in rows], [y for _, y in rows])[1]
    published = (math.log(8 / core) - 0.558) / (4 * math.pi)
    case.table("position", rows)
    # the formula is that of a thin core; its error is of order (δ/R)², larger for the thick core of the quick suite
    tolerance = case.pick(0.03, 0.06)
    case.near(f"speed, {cells}³, core {core:g} R [Γ/R]", speed, published, tolerance, "Γ/4πR (ln 8R/δ − 0.558) (Saffman 1970)")
