#!/bin/bash
# wayland.sh PROGRAM: PROGRAM view in a native Wayland window, in weston inside the X server of the environment. The
# simulation runs, which needs pictures to be shown, and a signal closes the window. Exits with 77 where weston is missing.
set -euo pipefail
program=$(realpath "$1")
command -v weston >/dev/null || { echo 'wayland: weston is not installed'; exit 77; }
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait || true; rm -rf "$work"' EXIT
cd "$work"
export XDG_RUNTIME_DIR=$work XDG_STATE_HOME=$work XDG_CONFIG_HOME=$work
chmod 700 "$work"

fail() {
    echo "wayland: $*" >&2
    tail -n 20 view.txt weston.txt >&2 2>/dev/null || true
    exit 1
}

# wait_for SECONDS COMMAND...: until the command succeeds
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@" 2>/dev/null; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}

weston --backend=x11-backend.so --width=900 --height=700 --socket=brume-test --idle-time=0 --no-config >weston.txt 2>&1 &
pids+=($!)
wait_for 60 test -S brume-test || fail 'weston does not start'

unset DISPLAY
cat >little.yaml <<'SCENE'
name: Wayland
domain: {size: [1, 1, 1]}
solver: {resolution: 16}
emitters:
  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 20}
SCENE
WAYLAND_DISPLAY=brume-test "$program" view little.yaml --size 640x480 --controls controls.yaml >view.txt 2>&1 &
view=$!
pids+=($view)
wait_for 120 grep -q '^frame: \([3-9]\|[1-9][0-9]\)' controls.yaml || fail 'no frame is shown'
grep -q '"run": \[' controls.yaml || fail 'no panel is shown'
kill -TERM $view
status=0
wait $view || status=$?
[ $status -eq 130 ] || fail "the window ends with status $status"
echo "wayland: $(grep '^frame:' controls.yaml) in a native window"
