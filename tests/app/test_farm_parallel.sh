#!/bin/sh
# scripts/farm-parallel with two workers, one of which is killed while it draws a frame: it is started again, and all
# images are those of an undisturbed run. The variable BRUME_PROGRAM names the program; the argument is the script.
set -u
script=$1
export BRUME="$BRUME_PROGRAM"
folder=$(mktemp -d /tmp/brume-test-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
    echo "farm-parallel: $*" >&2
    exit 1
}

# images that take longer than the simulation; a name with blanks
cat >'a scene.yaml' <<'SCENE'
domain: {size: [1, 1.5, 1]}
solver: {resolution: 24}
emitters: [{shape: sphere, center: [0, 0.25, 0], radius: 0.2, density: 1, temperature: 100}]
time: {fps: 24, frames: 12}
image: {width: 320, height: 180, samples: 4}
SCENE
"$BRUME" render 'a scene.yaml' -q -o 'expected/a.####.png' || fail "exit status $?"

"$script" 2 'a scene.yaml' -o 'out/a.####.png' --checkpoint-every 3 >out.txt 2>err.txt &
workers=$!
waited=0
until owner=$(cat out/a.00??.png.lock 2>/dev/null) && [ -n "$owner" ]; do
    [ "$waited" -lt 600 ] || fail "no worker draws a frame: $(cat err.txt)"
    waited=$((waited + 1))
    sleep 0.05
done
kill -9 "$(echo "$owner" | awk 'NR == 1 { print $2 }')" || fail "the worker has ended too early"
wait "$workers" || fail "exit status $?: $(cat err.txt)"
for image in expected/*.png; do
    cmp "$image" "out/$(basename "$image")" || fail "$image differs"
done
[ "$(find out -type f | wc -l)" -eq 12 ] || fail "other files are left: $(ls out)"

"$script" 3 'a scene.yaml' -o 'out/a.####.png' >out.txt 2>err.txt || fail "exit status $?: $(cat err.txt)"
[ "$(grep -c 'nothing to do: all files exist' out.txt)" -eq 3 ] || fail "frames are drawn again: $(cat out.txt)"
"$script" 'a scene.yaml' -o 'out/a.####.png' 2>err.txt && fail "no number of workers is no error"
[ "$(cat err.txt)" = "farm-parallel: no number of workers (usage: farm-parallel WORKERS SCENE -o PATTERN [options])" ] ||
    fail "$(cat err.txt)"
"$script" 2 none.yaml -o 'new/a.####.png' >out.txt 2>err.txt && fail "a missing scene is no error"
grep -q 'none.yaml: cannot open: No such file or directory' err.txt || fail "$(cat err.txt)"
echo "12 frames"
