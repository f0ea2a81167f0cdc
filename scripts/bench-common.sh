# Shared by the scripts that compare Brume with another solver. The solvers run alternately, so that other processes and the
# temperature of the machine affect all alike. To be sourced after common.sh by a POSIX shell.
#
# Variables of the environment:
#   BRUME_BENCH_THREADS   threads or processes of each solver (2)
#   BRUME_BENCH_ROUNDS    number of rounds, in each of which every solver runs (3)
#   BRUME_BENCH_DIR       folder for the measurements as CSV (none)
# shellcheck shell=sh disable=SC2034 # used by the scripts that source this

threads=${BRUME_BENCH_THREADS:-2}
rounds=${BRUME_BENCH_ROUNDS:-3}
program=build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

say() { printf '%s: %s\n' "$script" "$*" >&2; } # because the table goes to standard output

# build_peer TARGET...: builds targets of the release, among them the other solvers whose libraries are found
build_peer() {
    say "building build/release"
    log=$(cmake --preset release -DBRUME_WERROR="$(warnings_are_errors cc)" -DBRUME_PEERS=ON 2>&1) ||
        fail "cannot configure build/release:
$log"
    cmake --build build/release -j "$(jobs)" --target "$@" >/dev/null || fail "cannot build $*"
}

# save_measurements FILE NAME: copies a CSV file to BRUME_BENCH_DIR, if that is set
save_measurements() { [ -z "${BRUME_BENCH_DIR:-}" ] || { mkdir -p "$BRUME_BENCH_DIR" && cp "$1" "$BRUME_BENCH_DIR/$2"; }; }

# the median of a list of numbers separated by blanks; also sets `least` and `most`
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

# over_cases FILE PROGRAM [OPTION ...]: runs an awk program over the cases in a CSV file of `brume bench`; get() returns a
# column by its name, ns() a time in ms as ns per cell
over_cases() {
    cases_file=$1
    cases_program=$2
    shift 2
    awk -F, "$@" '
        /^#/ { next }
        NR == 1 { for (n = 1; n <= NF; n++) column[$n] = n; fields = NF; split($0, name, ","); next }
        function get(key) { return $column[key] }
        function ns(ms) { return 1e6 * ms / (get("nx") * get("ny") * get("nz")) }
        '"$cases_program" "$cases_file"
}

# Reads lines in the format of benchmarks/peers/lift_problem.h and prints a table: medians of the rounds, and their ratio to
# the first solver.
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
            print "| cells | box | solver | threads | iterations | relative residual | ms | range | over the first |"
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

# Reads lines "solver,cells,threads,ms,pressure,advection" and prints a table of steps: medians, and their ratio to the first
# solver.
table_of_steps() {
    awk -F, "$awk_median"'
        function cell(value) { return value > 0 ? sprintf("%.1f", value) : "" }
        {
            key = $2 "," $1 "," $3
            if (!(key in whole)) order[++keys] = key
            whole[key] = whole[key] " " $4; pressure[key] = pressure[key] " " $5; advection[key] = advection[key] " " $6
        }
        END {
            print "| cells | solver | threads | ms | pressure | advection | over the first |"
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

# brume_steps CELLS THREADS METHOD FILE [SECONDS]: measures steps of the plume in a cube of 4 m, developed for SECONDS (2), with
# this pressure solver and appends a line to FILE
brume_steps() {
    "$program/brume" bench benchmarks/peers/plume_4m.yaml -D "solver.pressure=$3" --sizes "$1" --threads "$2" --warmup "${5:-2}" \
        --steps 9 --csv "$work/brume.csv" >/dev/null || fail "brume bench failed"
    over_cases "$work/brume.csv" '{ printf "Brume %s,%d,%d,%s,%s,%s\n", method, get("nx"), get("threads"), get("step_ms"),
        get("ms_projection"), get("ms_advect velocity") + get("ms_advect scalars") }' -v method="$3" >>"$4"
}
