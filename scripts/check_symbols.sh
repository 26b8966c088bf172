#!/bin/sh
# scripts/check_symbols.sh LIBRARY - the public headers declare what lib/glnn.map lists, and that
#                                    is what the shared library exports.
#                                    Tests call each function with null pointers, and after the end
#                                    of its context, and know the names of each enumeration.
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

# The declarations, one a line.
declarations()
{
    cat include/glnn/*.h | sed '/^#/d' | tr '\n' ' ' |
        sed -E 's|/\*([^*]\|\*+[^*/])*\*+/||g' | grep -o 'GLNN_API [^;]*;'
}

# The functions that have a parameter of this type. Names of enumerations have a test of their own,
# and glnn_log_set takes null pointers.
taking()
{
    declarations | grep -E "\([^)]*($1)" | sed -E 's/.*[ *](glnn_[a-z0-9_]+) *\(.*/\1/' |
        grep -vE '_from_name$|^glnn_log_set$' | sort -u
}

# The names in test programs, after the macros of these have been expanded.
named_in()
{
    grep -hv '^#include' "$@" | ${CC:-cc} -E -P - | grep -oE 'glnn_[a-z0-9_]+' | sort -u
}

handles='glnn_(context|matrix|download|dataset|network|lvq|kmeans|gmm|trainer|projection) \*'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declared >"$work/headers"
listed >"$work/map"
exported "$1" >"$work/library"
taking '\*' >"$work/pointers"
taking "$handles" >"$work/handles"
listed | sed -n 's/_from_name$//p' >"$work/enumerations"
named_in tests/test_interface_nulls.c tests/test_interface_learners.c >"$work/null_tests"
named_in tests/test_interface_context.c tests/support/world.c >"$work/context_tests"
named_in tests/test_interface_names.c >"$work/name_tests"

compare()
{
    comm -23 "$work/$1" "$work/$2" | sed "s|.*|&: $3|"
}

{
    compare headers map "declared in include/glnn, not listed in $map (--write lists it)"
    compare map headers "listed in $map, not declared in include/glnn"
    compare map library "listed in $map, not exported by $1"
    compare library map "exported by $1, not listed in $map"
    compare pointers null_tests 'no call with null pointers in tests/test_interface_*.c'
    compare handles context_tests 'no call after its context in tests/test_interface_context.c'
    compare enumerations name_tests 'its names are not in tests/test_interface_names.c'
} >"$work/differences"
cat "$work/differences"
[ ! -s "$work/differences" ]
