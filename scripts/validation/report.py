"""The table of the results, the blocks of docs/validation.md and its figures."""

import csv
import os
import re
import subprocess

import case as cases

DOCUMENT = "docs/validation.md"
FOLDER = "docs/validation"
RESULTS = os.path.join(FOLDER, "results.csv")
COLUMNS = ("flow", "quantity", "computed", "published", "limit", "source", "result")


def table(checks, with_flow=False):
    head = ("flow", *COLUMNS[1:]) if with_flow else COLUMNS[1:]
    rows = [head, tuple("---" for _ in head)]
    for check in checks:
        row = [check[name] for name in COLUMNS[1:]]
        row[-1] = "pass" if row[-1] == "pass" else "**missed**"
        rows.append((check["flow"], *row) if with_flow else tuple(row))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def read_results():
    if not os.path.exists(RESULTS):
        return []
    with open(RESULTS, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def summary(checks):
    lines = ["| flow | limits met | missed |", "| --- | --- | --- |"]
    for flow in cases.FLOWS:
        own = [check for check in checks if check["flow"] == flow.name]
        if own:
            missed = [check["quantity"] for check in own if check["result"] != "pass"]
            anchor = re.sub(r"[^\w\- ]", "", flow.title.lower()).replace(" ", "-")
            lines.append(f"| [{flow.title}](#{anchor}) | {len(own) - len(missed)} of {len(own)} | {'; '.join(missed)} |")
    missed = sum(check["result"] != "pass" for check in checks)
    lines.append("")
    lines.append(f"{len(checks) - missed} of {len(checks)} limits are met.")
    return "\n".join(lines)


def write(checks, flows):
    """Replaces the results of these flows in docs/validation/results.csv and remakes the blocks of docs/validation.md."""
    os.makedirs(FOLDER, exist_ok=True)
    names = {flow.name for flow in flows}
    kept = [check for check in read_results() if check["flow"] not in names]
    order = {flow.name: n for n, flow in enumerate(cases.FLOWS)}
    merged = sorted(kept + checks, key=lambda check: order.get(check["flow"], len(order)))
    with open(RESULTS, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(merged)
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()

    def block(match):
        name = match.group(1)
        if name == "summary":
            content = summary(merged)
        else:
            content = table([check for check in merged if check["flow"] == name])
        return f"<!-- results: {name} -->\n{content}\n<!-- end -->"

    text = re.sub(r"<!-- results: ([\w-]+) -->\n.*?<!-- end -->", block, text, flags=re.S)
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(text)


def draw(flows, folder):
    """Draws the figures of these flows with gnuplot."""
    os.makedirs(FOLDER, exist_ok=True)
    for flow in flows:
        script = f"scripts/validation/plots/{flow.name}.gp"
        data = os.path.join(folder, flow.name)
        if not os.path.exists(script) or not os.path.isdir(data):
            continue
        command = f"data = '{data}/'; out = '{FOLDER}/{flow.name}'"
        finished = subprocess.run(["gnuplot", "-e", command, script], capture_output=True, text=True, check=False)
        if finished.returncode != 0 or "warning" in finished.stderr:
            print(f"gnuplot, {flow.name}: {finished.stderr.strip()}")
