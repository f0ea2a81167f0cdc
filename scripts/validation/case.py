"""One flow of the suite: its runs, its checks and the tables for its figure."""

import math
import os

import program

FLOWS = []  # all flows in the order of the documentation


class Flow:
    def __init__(self, name, title, function, quick, minutes):
        self.name = name
        self.title = title
        self.function = function
        self.quick = quick  # whether it is part of the quick suite
        self.minutes = minutes  # about, of the full suite with one thread; longer flows start first


def flow(name, title, quick=True, minutes=1.0):
    """Declares a flow of the suite; the decorated function gets a Case."""

    def declare(function):
        FLOWS.append(Flow(name, title, function, quick, minutes))
        return function

    return declare


def number(value):
    """A number with as many digits as are useful to read."""
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "none"
    if value != 0 and abs(value) < 1e-3:
        return f"{value:.1e}"
    return f"{value:.5g}"


class Case:
    def __init__(self, flow, quick, program_path, folder, threads):
        self.flow = flow
        self.quick = quick
        self.program = program_path
        self.folder = os.path.join(folder, flow.name)
        self.threads = threads
        self.checks = []
        os.makedirs(self.folder, exist_ok=True)

    def pick(self, full, quick):
        """A value of the full or of the quick suite."""
        return quick if self.quick else full

    def run(self, scene, key="run", values=None, until_steady=None, output=None):
        path = os.path.join("scenes", "validation", scene + ".yaml")
        folder = os.path.join(self.folder, key)
        return program.run(self.program, path, folder, values or {}, self.threads, until_steady, output)

    def table(self, name, rows):
        """Writes NAME.dat for gnuplot: rows of numbers, or None for an empty line between blocks."""
        with open(os.path.join(self.folder, name + ".dat"), "w", encoding="utf-8") as file:
            for row in rows:
                file.write("\n" if row is None else " ".join(str(value) for value in row) + "\n")

    def plane(self, name, plane, column):
        """Writes NAME.dat: x, y and a column of one frame of a plane, a block of rows for each y."""
        rows = []
        for n, (x, y) in enumerate(zip(plane["x"], plane["y"])):
            if n and y != plane["y"][n - 1]:
                rows.append(None)
            rows.append((f"{x:.5f}", f"{y:.5f}", f"{plane[column][n]:.4g}"))
        self.table(name, rows)

    def _check(self, quantity, computed, published, limit, source, passed):
        self.checks.append(
            {
                "flow": self.flow.name,
                "quantity": quantity,
                "computed": number(computed),
                "published": published if isinstance(published, str) else number(published),
                "limit": limit,
                "source": source,
                "result": "pass" if passed and not (isinstance(computed, float) and math.isnan(computed)) else "miss",
            }
        )

    def near(self, quantity, computed, published, tolerance, source):
        """Within a relative tolerance of a published value."""
        error = computed / published - 1
        limit = f"± {100 * tolerance:g} %"
        self._check(quantity, f"{number(computed)} ({100 * error:+.2f} %)", published, limit, source, abs(error) <= tolerance)

    def within(self, quantity, computed, published, tolerance, source):
        """Within an absolute tolerance of a published value."""
        self._check(quantity, computed, published, f"± {tolerance:g}", source, abs(computed - published) <= tolerance)

    def at_least(self, quantity, computed, limit, source, published="–"):
        self._check(quantity, computed, published, f"≥ {limit:g}", source, computed >= limit)

    def at_most(self, quantity, computed, limit, source, published="–"):
        self._check(quantity, computed, published, f"≤ {limit:g}", source, computed <= limit)
