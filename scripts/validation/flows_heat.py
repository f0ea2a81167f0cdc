"""Convection and diffusion of heat."""

import math

from case import flow
from numerics import extremum, growth_rate, line_fit, slope_of_log


@flow("heated-cavity", "Heated cavity", minutes=6)
def heated_cavity(case):
    cells = case.pick(128, 64)
    prandtl = 0.71
    source = "de Vahl Davis 1983"
    published = {1e3: (1.118, 3.649, 3.697), 1e5: (4.519, 34.73, 68.59)}
    for rayleigh in (1e3,) if case.quick else (1e3, 1e5):
        alpha = 1 / math.sqrt(rayleigh * prandtl)
        values = {
            "solver.resolution": [cells, cells, 1],
            "air.viscosity": prandtl * alpha,
            "air.thermal_diffusivity": alpha,
            # the slowest modes decay by exp(-alpha pi^2 t): to 1e-5 at least
            "time.frames": {1e3: 35, 1e5: 240}[rayleigh],
        }
        exponent = round(math.log10(rayleigh))
        run = case.run("heated_cavity", f"ra{exponent}", values, until_steady=1e-5)
        vertical = run.probe("vertical").last_frame()
        horizontal = run.probe("horizontal").last_frame()
        every = slice(1, None, 2) if cells == 128 else slice(2, None, 4)
        tolerance = case.pick(0.01, 0.02)
        nusselt, u_max, v_max = published[rayleigh]
        name = f"Ra 1e{exponent}"
        case.near(f"{name}: mean Nusselt number, {cells}²", run.measures["nusselt_x_min"][-1], nusselt, tolerance, source)
        u = [value / alpha for value in vertical["velocity_x"]]
        v = [value / alpha for value in horizontal["velocity_y"]]
        case.near(f"{name}: u_max [α/L]", extremum(vertical["y"][every], u[every], 1)[1], u_max, tolerance, source)
        case.near(f"{name}: v_max [α/L]", extremum(horizontal["x"][every], v[every], 1)[1], v_max, tolerance, source)
        case.table(f"v{exponent}", zip(horizontal["x"], v, horizontal["temperature"]))
        plane = run.probe("plane").last_frame()
        case.plane(f"temperature{exponent}", plane, "temperature")


@flow("rayleigh-benard", "Onset of Rayleigh-Bénard convection", minutes=2)
def rayleigh_benard(case):
    # the period of the coarser grid, 2, is a wave number of pi, whose critical Rayleigh number is 1707.92
    cells, across, critical = case.pick((129, 64, 1707.762), (64, 32, 1707.92))
    rows = []
    for rayleigh in (1620, 1760) if case.quick else (1600, 1650, 1700, 1750, 1800):
        diffusivity = 1 / math.sqrt(rayleigh)
        values = {
            "domain.size": [cells / across, 1, 1],
            "solver.resolution": [cells, across, 1],
            "air.viscosity": diffusivity,
            "air.thermal_diffusivity": diffusivity,
        }
        measures = case.run("rayleigh_benard", f"ra{rayleigh}", values).measures
        # the other modes of the disturbance have decayed after 15 s, 0.4 diffusion times
        sigma = growth_rate(measures["time"], measures["kinetic_energy"], 15, 30)
        rows.append((rayleigh, sigma / diffusivity))
        case.table(f"energy{rayleigh}", zip(measures["time"], measures["kinetic_energy"]))
    value, slope = line_fit([r for r, _ in rows], [s for _, s in rows])
    case.table("rates", rows)
    case.table("fit", [(r, value + slope * r) for r in (1590, 1810)])
    case.near(
        f"critical Rayleigh number, {across} cells high",
        -value / slope,
        critical,
        0.01,
        "linear theory (Chandrasekhar 1961)",
    )


@flow("diffusion-mode", "Diffusion of a small mode on a large mean")
def diffusion_mode(case):
    run = case.run("diffusion_mode")
    line = run.probe("line").last_frame()
    # the values of the first and the last cell; the cosine at their centers is below 1
    values = line["temperature"][1::2]
    computed = 0.5 * (values[0] - values[-1]) / math.cos(math.pi * line["x"][1])
    exact = math.exp(-0.001 * math.pi**2 * 20)
    case.near("amplitude after 20 s, dt 0.01 [K]", computed, exact, 0.005, "exp(−κπ²t)")
    measures = run.measures
    drift = measures["temperature_total"][-1] / measures["temperature_total"][0] - 1
    case.at_most("relative change of the total heat", abs(drift), 1e-5, "exact", "0")


@flow("turbulent-plume", "Turbulent plume", quick=False, minutes=15)
def turbulent_plume(case):
    run = case.run("turbulent_plume")
    rows = []
    for name in ("y050", "y075", "y100", "y125", "y150", "y175", "y200", "y225"):
        planes = run.probe(name).frames()
        late = [plane for plane in planes.values() if plane["time"][0] >= 8]
        count = len(late[0]["x"])
        w = [sum(plane["velocity_y"][n] for plane in late) / len(late) for n in range(count)]
        heat = [sum(plane["temperature"][n] for plane in late) / len(late) for n in range(count)]
        # with the part that the fluctuations carry, so that the flux does not depend on the height
        flux = [sum(plane["velocity_y"][n] * plane["temperature"][n] for plane in late) / len(late) for n in range(count)]
        area = 2.0 * 2.0 / count  # the planes have a point at each cell
        edge = 0.02 * max(w)  # outside the plume the mean velocity is that of the entrained air
        inside = [n for n in range(count) if w[n] > edge and heat[n] > 0.005 * max(heat)]
        volume = sum(w[n] for n in inside) * area
        momentum = sum(w[n] ** 2 for n in inside) * area
        buoyancy = sum(flux) * area * 9.81 / 300
        height = late[0]["y"][0]
        rows.append((height, volume / math.sqrt(math.pi * momentum), momentum / volume, buoyancy / volume, buoyancy))
    case.table("profiles", rows)
    source = "Morton, Taylor, Turner 1956"
    # heights at which the plume is turbulent and narrow compared with the box
    far = [row for row in rows if 0.75 <= row[0] <= 2]
    width, spread = line_fit([row[0] for row in far], [row[1] for row in far])
    origin = -width / spread
    z = [row[0] - origin for row in far]
    case.table("fit", [(origin, spread)])
    alpha = 5 / 6 * spread
    case.at_least("entrainment coefficient α", alpha, 0.08, source, "0.08 to 0.12")
    case.at_most("entrainment coefficient α", alpha, 0.12, source, "0.08 to 0.12")
    case.within("exponent of w", slope_of_log(z, [row[2] for row in far]), -1 / 3, 0.06, source)
    case.within("exponent of g′", slope_of_log(z, [row[3] for row in far]), -5 / 3, 0.12, source)
    middle = run.probe("middle").frames()
    late = [plane for plane in middle.values() if plane["time"][0] >= 8]
    block = []
    for n, x in enumerate(late[0]["x"]):
        y = late[0]["y"][n]
        if n and y != late[0]["y"][n - 1]:
            block.append(None)
        mean = sum(plane["temperature"][n] for plane in late) / len(late)
        block.append((f"{x:.4f}", f"{y:.4f}", f"{late[-1]['temperature'][n]:.3f}", f"{mean:.3f}"))
    case.table("middle", block)


def mean_of(frames, column, n):
    return sum(frame[column][n] for frame in frames) / len(frames)


def mccaffrey(height, power):
    """The mean velocity and excess temperature on the axis of a fire [m/s, K]."""
    scaled = height / power**0.4
    k, eta = (6.8, 0.5) if scaled < 0.08 else (1.9, 0) if scaled < 0.2 else (1.1, -1 / 3)
    excess = (k / (0.9 * math.sqrt(2 * 9.81))) ** 2 * scaled ** (2 * eta - 1) * 293
    return k * power**0.2 * scaled**eta, excess


def flame_height(run, power, heat, side, start):
    """The height below which 99 % of the fuel burns, from its mean flux through planes [m]."""
    before = (0.0, 1.0)
    for n in range(1, 15):
        frames = [plane for plane in run.probe(f"y{n:02d}").frames().values() if plane["time"][0] >= start]
        count = len(frames[0]["x"])
        flux = sum(plane["velocity_y"][m] * plane["fuel"][m] for plane in frames for m in range(count)) / len(frames)
        left = 1.1766 * flux * side**2 / count * heat / power  # of the planes' points, one at each cell
        if left < 0.01:
            share = (math.log(before[1]) - math.log(0.01)) / (math.log(before[1]) - math.log(max(left, 1e-9)))
            return before[0] + share * (n / 10 - before[0])
        before = (n / 10, left)
    return math.nan


@flow("pool-fire", "Fire over a burner", quick=False, minutes=25)
def pool_fire(case):
    start = 10
    for model, powers in (("mixing", (14, 33, 57)), ("ignition", (33,))):
        for power in powers:
            side = 1.15 * (power / 33) ** 0.4  # so that cells are a tenth of the length of the fire, of the least a twelfth
            values = {"emitters.0.power": power, "fire.model": model, "domain.size": [side, 2 * side, side]}
            if power < 20:
                values["solver.resolution"] = [58, 116, 58]
            if model == "ignition":  # a rate as of mixing in these cells, in gas of any temperature
                values.update({"fire.ignition": -100, "fire.rate": 40})
            run = case.run("pool_fire", f"{model}{power}", values)
            frames = [line for line in run.probe("axis").frames().values() if line["time"][0] >= start]
            rows = []
            for n, y in enumerate(frames[0]["y"]):
                u, excess = mean_of(frames, "velocity_y", n), mean_of(frames, "temperature", n)
                rows.append((y / power**0.4, u / power**0.2, excess) + mccaffrey(y, power))
            case.table(f"{model}{power}", rows)
            name = f"{power} kW, {model}"
            source = "McCaffrey 1979"
            for scaled in (0.06, 0.14, 0.3):
                _, u, excess, expected_u, expected = min(rows, key=lambda row: abs(row[0] - scaled))
                case.near(f"{name}: u at z* = {scaled} [m/s]", u * power**0.2, expected_u, 0.25, source)
                case.near(f"{name}: T - T0 at z* = {scaled} [K]", excess, expected, 0.25, source)
            expected = 0.235 * power**0.4 - 1.02 * 0.3
            hot = [row[0] * power**0.4 for row in rows if row[2] >= 500]
            case.near(f"{name}: height up to which T - T0 is 500 K [m]", max(hot), expected, 0.2, "Heskestad 1983")
            height = flame_height(run, power, 50000, side, start)
            case.near(f"{name}: height at which 99 % has burned [m]", height, expected, 0.2, "Heskestad 1983")
            measures = run.measures
            released, radiated = measures["heat_released"][-1], measures["heat_radiated"][-1]
            unaccounted = abs(measures["temperature_unaccounted"][-1]) / measures["temperature_emitted"][-1]
            case.at_most(f"{name}: radiated part of the heat", radiated / released, 0.4, "stated", "0.2 to 0.35")
            case.at_most(f"{name}: unaccounted part of the heat", unaccounted, 1e-5, "exact", "0")
