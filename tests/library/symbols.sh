#!/bin/sh
# symbols.sh LIBRARY HEADERS: the shared library exports exactly the functions that the headers in the folder declare
# with BRUME_API.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# comments and preprocessor lines are removed; a declaration is the text after BRUME_API, up to the parenthesis
cat "$2"/*.h | sed -e 's://.*::' -e '/^#/d' | tr '\n' ' ' | sed -e 's:/\*:\n/*:g' -e 's:\*/:*/\n:g' | grep -v '^/\*' |
    tr '\n' ' ' | grep -o 'BRUME_API [^(]*(' | sed 's/.*[ *]\([a-z0-9_]*\)($/\1/' | sort >"$work/declared"
nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | sort >"$work/exported"
[ -s "$work/declared" ] || { echo "no declaration found in $2" && exit 1; }
if ! diff "$work/declared" "$work/exported"; then
    echo "'<' is declared with BRUME_API but not exported, '>' is exported but not declared"
    exit 1
fi
echo "$(wc -l <"$work/exported") functions"
