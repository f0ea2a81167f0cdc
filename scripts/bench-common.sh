# Shared by the scripts that measure Brume beside another solver. Both sides run alternately, so that what else the
# machine does, and how warm it is, meets both alike. Sourced after common.sh by a POSIX shell.
#
# The environment may say:
#   BRUME_BENCH_THREADS   threads or processes of each side (2)
#   BRUME_BENCH_ROUNDS    how often both sides run (3)
#   BRUME_BENCH_DIR       folder that keeps what was measured as CSV (none is kept)
# shellcheck shell=sh disable=SC2034 # used by the scripts that source this

threads=${BRUME_BENCH_THREADS:-2}
rounds=${BRUME_BENCH_ROUNDS:-3}
program=build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

say() { printf '%s: %s\n' "$script" "$*" >&2; } # standard output is the table

# build_peer TARGET...: the release build, with the peers whose libraries are found
build_peer() {
    say "building build/release"
    log=$(cmake --preset release -DBRUME_WERROR="$(warnings_are_errors)" -DBRUME_PEERS=ON 2>&1) ||
        fail "cannot configure build/release:
$log"
    cmake --build build/release -j "$(jobs)" --target "$@" >/dev/null || fail "cannot build $*"
}

# keep FILE NAME: a copy of what was measured, where one is wanted
keep() { [ -z "${BRUME_BENCH_DIR:-}" ] || { mkdir -p "$BRUME_BENCH_DIR" && cp "$1" "$BRUME_BENCH_DIR/$2"; }; }

# the median of a list of numbers, apart by blanks; `least` and `most` are left behind
awk_median='
    function median(list,    values, count, i, j, held) {
        count = split(list, values, " ")
        for (i = 2; i <= count; i++) {
            held = values[i] + 0
            for (j = i - 1; j > 0 && values[j] + 0 > held; j--) values[j + 1] = values[j]
            values[j + 1] = held
        }
        least = values[1]
        most = values[count]
        return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
    }'

# Lines of benchmarks/peers/lift_problem.h in, a table out: medians of the rounds, and their ratio to Brume's.
table_of_solves() {
    awk -F, "$awk_median"'
        $1 == "solver" { next }
        {
            key = $2 "," $3 "," $1
            if (!(key in times)) order[++keys] = key
            times[key] = times[key] " " $7
            threads[key] = $4; iterations[key] = $5; residual[key] = $6
        }
        END {
            print "| cells | box | solver | threads | iterations | relative residual | ms | least to most | times the first |"
            print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
            for (n = 1; n <= keys; n++) {
                key = order[n]; split(key, part, ",")
                value = median(times[key])
                box = part[1] "," part[2]
                if (!(box in first)) first[box] = value
                printf "| %s³ | %s | %s | %d | %d | %.1e | %.1f | %.1f to %.1f | %.2f |\n", part[1], part[2], part[3],
                    threads[key], iterations[key], residual[key], value, least, most, value / first[box]
            }
        }'
}

# Lines "solver,cells,threads,ms,pressure,advection" in, a table of whole steps out: medians, and ratios to the first.
table_of_steps() {
    awk -F, "$awk_median"'
        function cell(value) { return value > 0 ? sprintf("%.1f", value) : "" }
        {
            key = $2 "," $1 "," $3
            if (!(key in whole)) order[++keys] = key
            whole[key] = whole[key] " " $4; pressure[key] = pressure[key] " " $5; advection[key] = advection[key] " " $6
        }
        END {
            print "| cells | solver | threads | ms | pressure | advection | times the first |"
            print "| --- | --- | --- | --- | --- | --- | --- |"
            for (n = 1; n <= keys; n++) {
                key = order[n]; split(key, part, ",")
                value = median(whole[key])
                if (!(part[1] in first)) first[part[1]] = value
                printf "| %s³ | %s | %d | %.1f | %s | %s | %.2f |\n", part[1], part[2], part[3], value,
                    cell(median(pressure[key])), cell(median(advection[key])), value / first[part[1]]
            }
        }'
}

# brume_steps CELLS THREADS METHOD FILE: steps of the developed plume in a cube of 4 m by this pressure solver, a line
# appended
brume_steps() {
    "$program/brume" bench benchmarks/peers/plume_4m.yaml -D "solver.pressure=$3" --sizes "$1" --threads "$2" --warmup 2 --steps 9 \
        --csv "$work/brume.csv" >/dev/null || fail "brume bench failed"
    awk -F, -v method="$3" '
        NR == 1 { for (n = 1; n <= NF; n++) column[$n] = n; next }
        { printf "Brume %s,%d,%d,%s,%s,%s\n", method, $column["nx"], $column["threads"], $column["step_ms"],
              $column["ms_projection"], $column["ms_advect velocity"] + $column["ms_advect scalars"] }
    ' "$work/brume.csv" >>"$4"
}
