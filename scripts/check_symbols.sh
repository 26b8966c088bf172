#!/bin/sh
# scripts/check_symbols.sh LIBRARY - the public headers declare what lib/glnn.map lists, and that
#                                    is what the shared library exports.
# scripts/check_symbols.sh --write - writes lib/glnn.map from the public headers.
set -eu
export LC_ALL=C

map=lib/glnn.map

# The symbols of a version before 1.0 carry its minor number, as the library's soname does.
version()
{
    sed -n 's/^#define GLNN_VERSION_M[AI][JN]OR \([0-9]*\).*/\1/p' include/glnn/base.h | paste -sd .
}

declared()
{
    cat include/glnn/*.h | sed '/^#/d' | tr '\n' ' ' |
        sed -E 's|/\*([^*]\|\*+[^*/])*\*+/||g' | grep -o 'GLNN_API [^;(]*(' |
        sed -E 's/.*[ *](glnn_[a-z0-9_]+) *\($/\1/' | sort -u
}

listed()
{
    sed -n 's/^ *\(glnn_[a-z0-9_]*\);$/\1/p' "$map" | sort
}

exported()
{
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort
}

if [ "${1-}" = --write ]; then
    {
        echo "GLNN_$(version) {"
        echo 'global:'
        declared | sed 's/.*/    &;/'
        echo 'local:'
        echo '    *;'
        echo '};'
    } >"$map.new"
    mv "$map.new" "$map"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declared >"$work/headers"
listed >"$work/map"
exported "$1" >"$work/library"

compare()
{
    comm -23 "$work/$1" "$work/$2" | sed "s|.*|&: $3|"
}

{
    compare headers map "declared in include/glnn, not listed in $map (--write lists it)"
    compare map headers "listed in $map, not declared in include/glnn"
    compare map library "listed in $map, not exported by $1"
    compare library map "exported by $1, not listed in $map"
} >"$work/differences"
cat "$work/differences"
[ ! -s "$work/differences" ]
