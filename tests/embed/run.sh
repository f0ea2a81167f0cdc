#!/bin/sh
# Installs the build in $1 into a folder of its own and builds a stranger's program against it, as C and as C++, with
# the shared library and with the static one: each must run, print the same state and leave a picture.
set -eu
build=$1
source=$(dirname "$0")/embed.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/usr" >/dev/null
libraries=$(dirname "$(find "$work/usr" -name 'libbrume.a')")
export PKG_CONFIG_PATH="$libraries/pkgconfig"
flags="$(pkg-config --cflags brume) -Wall -Wextra -Werror ${EMBED_FLAGS:-}"

# shellcheck disable=SC2046,SC2086 # lists of words
{
    cc -std=c17 $flags "$source" -o "$work/shared" $(pkg-config --libs brume) -Wl,-rpath,"$libraries"
    cc -std=c17 $flags "$source" -o "$work/static" "$libraries/libbrume.a" $(pkg-config --static --libs-only-l brume |
        sed 's/-lbrume//') -fopenmp
    printf '#include <brume/brume.h>\nint main() { return brume_version()[0] == 0; }\n' >"$work/plus.cpp"
    c++ -std=c++17 $flags "$work/plus.cpp" -o "$work/plus" $(pkg-config --libs brume) -Wl,-rpath,"$libraries"
}
first=$("$work/shared" "$work/shared.png")
second=$("$work/static" "$work/static.png")
"$work/plus"
[ "$first" = "$second" ] || { echo "shared says '$first', static says '$second'" && exit 1; }
cmp "$work/shared.png" "$work/static.png"
for symbol in $(nm -D --defined-only "$libraries/libbrume.so" | awk '$2 == "T" {print $3}'); do
    case $symbol in brume_*) ;; *) echo "libbrume.so defines '$symbol', which is not its own" && exit 1 ;; esac
done
echo "$first"
