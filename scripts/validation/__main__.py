"""
Runs the flows of the validation suite, compares them with published values and prints a table. Only the program itself is
used: `brume sim` on the scenes of scenes/validation, and the tables that it writes. scripts/validate builds it first.
"""

import argparse
import concurrent.futures
import json
import os
import sys
import time

import case as cases
import flows_taylor_green  # noqa: F401  the modules declare their flows
import flows_vortices  # noqa: F401
import flows_walls  # noqa: F401
import flows_heat  # noqa: F401
import flows_transport  # noqa: F401
import flows_water  # noqa: F401
import flows_particles  # noqa: F401
import report


def arguments():
    parser = argparse.ArgumentParser(prog="validate", description="Compares the flows of Brume with published values.")
    parser.add_argument("--quick", action="store_true", help="the flows and grids of the tests, at most 3 minutes")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these flows only")
    parser.add_argument("--list", action="store_true", help="list the flows and exit")
    parser.add_argument("--no-docs", action="store_true", help="do not rewrite docs/validation.md and its figures")
    parser.add_argument("--report", action="store_true", help="only remake tables and figures, from the last full run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="flows at a time, each with one thread")
    parser.add_argument("--program", default="build/release/brume", help="the program (%(default)s)")
    parser.add_argument("--work", help="folder of the tables (build/validation, build/validation-quick)")
    chosen = parser.parse_args()
    known = {flow.name for flow in cases.FLOWS}
    for name in chosen.only or []:
        if name not in known:
            parser.error(f"unknown flow '{name}' (see --list)")
    return chosen


def evaluate(flow, options, folder):
    """Runs one flow; (case, seconds, error or None)."""
    started = time.monotonic()
    case = cases.Case(flow, options.quick, options.program, folder, threads=1)
    try:
        flow.function(case)
        error = None
    except (RuntimeError, OSError, ArithmeticError, ValueError, LookupError) as failure:
        error = f"{type(failure).__name__}: {failure}"
    with open(os.path.join(case.folder, "checks.json"), "w", encoding="utf-8") as file:
        json.dump(case.checks, file, ensure_ascii=False, indent=1)
    return case, time.monotonic() - started, error


def main():
    options = arguments()
    if options.list:
        for flow in cases.FLOWS:
            print(f"{flow.name:20} {flow.title}{'' if flow.quick else ' (full suite only)'}")
        return 0
    folder = options.work or ("build/validation-quick" if options.quick else "build/validation")
    chosen = [flow for flow in cases.FLOWS if (not options.only or flow.name in options.only)]
    if options.quick:
        chosen = [flow for flow in chosen if flow.quick]
    if options.report:
        paths = {flow: os.path.join(folder, flow.name, "checks.json") for flow in chosen}
        finished = [flow for flow in chosen if os.path.exists(paths[flow])]
        checks = []
        for flow in finished:
            with open(paths[flow], encoding="utf-8") as file:
                checks += json.load(file)
        report.draw(finished, folder)
        report.write(checks, finished)
        return 0

    checks = {}
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        longest_first = sorted(chosen, key=lambda flow: -flow.minutes)
        for done in concurrent.futures.as_completed(pool.submit(evaluate, flow, options, folder) for flow in longest_first):
            case, seconds, error = done.result()
            if error:
                print(f"{case.flow.name}: {error}", file=sys.stderr)
                failures += 1
            missed = sum(check["result"] != "pass" for check in case.checks)
            print(f"{case.flow.name:20} {seconds:7.1f} s  {len(case.checks) - missed} passed, {missed} missed", flush=True)
            checks[case.flow.name] = case.checks
    ordered = [check for flow in chosen for check in checks.get(flow.name, [])]
    print()
    print(report.table(ordered, with_flow=True))
    missed = sum(check["result"] != "pass" for check in ordered)
    print(f"\n{len(ordered) - missed} of {len(ordered)} limits are met.")
    if not options.quick and not options.no_docs:
        report.draw(chosen, folder)
        report.write(ordered, chosen)
    return 1 if missed or failures else 0


sys.exit(main())
