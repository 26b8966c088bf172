#!/bin/sh
# scripts/check_symbols.sh FOLDER  - the public headers declare what lib/glnn.map lists, and that is
#                                    what FOLDER/libglnn.so exports; in the same way glnn/mpi.h,
#                                    lib/glnn-mpi.map and FOLDER/libglnn-mpi.so.
#                                    Tests call each function with null pointers, and after the end
#                                    of its context, and in a host's context, and know the names of
#                                    each enumeration, and count all functions of OpenGL.
# scripts/check_symbols.sh --write - writes both maps from the public headers.
set -eu
export LC_ALL=C
: "${1:?is missing: scripts/check_symbols.sh FOLDER, or --write}"

libraries='glnn glnn-mpi'

headers_of()
{
    case $1 in
    glnn) ls include/glnn/*.h | grep -v '/mpi\.h$' ;;
    glnn-mpi) echo include/glnn/mpi.h ;;
    esac
}

# The symbols of a version before 1.0 carry its minor number, as the library's soname does.
version()
{
    scripts/version.sh | cut -d. -f1,2
}

# The declarations of a library's headers, one a line.
declarations()
{
    headers_of "$1" | xargs cat | sed '/^#/d' | tr '\n' ' ' |
        sed -E 's|/\*([^*]\|\*+[^*/])*\*+/||g' | grep -o 'GLNN_API [^;]*;'
}

declared()
{
    declarations "$1" | sed -E 's/^[^(]*[ *](glnn_[a-z0-9_]+) *\(.*/\1/' | sort -u
}

listed()
{
    sed -n 's/^ *\(glnn_[a-z0-9_]*\);$/\1/p' "lib/$1.map" | sort
}

exported()
{
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort
}

if [ "${1-}" = --write ]; then
    for library in $libraries; do
        {
            echo "$(echo "$library" | tr a-z- A-Z_)_$(version) {"
            echo 'global:'
            declared "$library" | sed 's/.*/    &;/'
            echo 'local:'
            echo '    *;'
            echo '};'
        } >"lib/$library.map.new"
        mv "lib/$library.map.new" "lib/$library.map"
    done
    exit 0
fi

# The functions of a library that have a parameter of a type. Names of enumerations have a test of
# their own, and glnn_log_set takes null pointers.
taking()
{
    declarations "$1" | grep -E "\([^)]*($2)" |
        sed -E 's/^[^(]*[ *](glnn_[a-z0-9_]+) *\(.*/\1/' |
        grep -vE '_from_name$|^glnn_log_set$' | sort -u
}

# The names in test programs, after the macros of these have been expanded.
named_in()
{
    grep -hv '^#include' "$@" | ${CC:-cc} -E -P - | grep -oE 'glnn_[a-z0-9_]+' | sort -u
}

handles='glnn_(context|matrix|download|dataset|network|lvq|kmeans|gmm|trainer|inspection'
handles="$handles|projection) \*"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
named_in tests/test_interface_context.c tests/support/world.c >"$work/context_tests"
named_in tests/test_guest_calls.c >"$work/guest_tests"

compare()
{
    comm -23 "$work/$1" "$work/$2" | sed "s|.*|&: $3|"
}

# compare_library LIBRARY FOLDER NULL_TESTS NAME_TESTS
compare_library()
{
    map=lib/$1.map
    library=$2/lib$1.so
    declared "$1" >"$work/headers"
    listed "$1" >"$work/map"
    exported "$library" >"$work/library"
    taking "$1" '\*' >"$work/pointers"
    taking "$1" "$handles" >"$work/handles"
    listed "$1" | sed -n 's/_from_name$//p' >"$work/enumerations"
    # shellcheck disable=SC2086 # names of files, one word each
    named_in $3 >"$work/null_tests"
    named_in "$4" >"$work/name_tests"
    compare headers map "declared in include/glnn, not listed in $map (--write lists it)"
    compare map headers "listed in $map, not declared in include/glnn"
    compare map library "listed in $map, not exported by $library"
    compare library map "exported by $library, not listed in $map"
    compare pointers null_tests "no call with null pointers in $3"
    compare handles context_tests 'no call after its context in tests/test_interface_context.c'
    compare handles guest_tests 'no call in the context of a host in tests/test_guest_calls.c'
    compare enumerations name_tests "its names are not in $4"
}

# The functions of OpenGL that a library calls. The last three create a context.
calls_of()
{
    nm -D --undefined-only "$1" | sed -nE 's/^ *U (__glew|gl)([A-WYZ][A-Za-z0-9_]*).*/\1\2/p' |
        grep -vxE '__glewGetStringi|__glewMaxShaderCompilerThreadsKHR|glGetString' | sort -u
}

compare_calls()
{
    calls=tests/support/gl_calls.h
    calls_of "$1/libglnn.so" >"$work/calls"
    {
        grep -oE '\bgl[A-Z][A-Za-z0-9]*' "$calls"
        sed -nE 's/^ *SWAP\(([A-Za-z0-9_]*)\);/__glew\1/p' "$calls"
    } | sort -u >"$work/counted"
    compare calls counted "called by the library, not counted by $calls"
}

{
    compare_calls "$1"
    compare_library glnn "$1" 'tests/test_interface_nulls.c tests/test_interface_learners.c' \
        tests/test_interface_names.c
    if [ -e "$1/libglnn-mpi.so" ]; then
        compare_library glnn-mpi "$1" tests/test_mpi.c tests/test_mpi.c
    fi
} >"$work/differences"
cat "$work/differences"
[ ! -s "$work/differences" ]
