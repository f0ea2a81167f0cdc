#!/bin/sh
# headers.sh INCLUDE_FOLDER: each public header compiles alone as C11, C17, C++11 and C++20, with no warning by GCC and
# by Clang (where it is installed), and includes nothing but public headers and the C standard library.
set -eu
include=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings='-pedantic-errors -Wall -Wextra -Werror -Wshadow -Wconversion -Wundef'

if grep -hE '^ *# *include' "$include"/brume/*.h |
    grep -vE '"brume/[a-z_0-9]+\.h"|<(stdbool|stddef|stdint)\.h>'; then
    echo "a public header includes something else than public headers and the C standard library"
    exit 1
fi
for header in "$include"/brume/*.h; do
    name=$(basename "$header" .h)
    # the second inclusion meets the guard
    printf '#include <brume/%s.h>\n#include <brume/%s.h>\nint nothing;\n' "$name" "$name" >"$work/$name.c"
    cp "$work/$name.c" "$work/$name.cpp"
done
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    plus=$(echo "$compiler" | sed 's/gcc/g++/; s/clang/clang++/')
    # shellcheck disable=SC2086 # lists of words
    for standard in c11 c17; do
        "$compiler" -std=$standard $warnings -fsyntax-only -I"$include" "$work"/*.c
    done
    # shellcheck disable=SC2086
    for standard in c++11 c++20; do
        "$plus" -std=$standard $warnings -fsyntax-only -I"$include" "$work"/*.cpp
    done
done
ls "$work"/*.c | wc -l | sed 's/$/ headers/'
