#!/bin/sh
# scripts/check_headers.sh - each public header, alone, is clean C11 and C++17 for gcc and clang.
set -eu

work=$(mktemp -d "${TMPDIR:-/tmp}/glnn-headers.XXXXXX")
trap 'rm -rf "$work"' EXIT
for header in include/glnn/*.h; do
    name=${header##*/}
    # Twice, to try the include guard.
    printf '#include <glnn/%s>\n' "$name" "$name" >"$work/${name%.h}.c"
    cp "$work/${name%.h}.c" "$work/${name%.h}.cpp"
done

status=0
options='-Iinclude -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only'

# $1: what the names of files end in; the rest is a command that reads them.
try()
{
    ending=$1
    shift
    if ! "$@" "$work"/*."$ending"; then
        echo "not clean under $*"
        status=1
    fi
}

# shellcheck disable=SC2086 # options, one word each
{
    try c gcc -std=c11 $options
    try cpp g++ -std=c++17 $options
    try c scripts/clang_reads.sh clang -std=c11 $options --
    try cpp scripts/clang_reads.sh clang++ -std=c++17 $options --
}
exit $status
