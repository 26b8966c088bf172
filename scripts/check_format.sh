#!/bin/sh
# scripts/check_format.sh [--write] - C and C++ files look as .clang-format says; --write makes them
# so. Versions 14 and 19 agree on all files: macros that begin with a brace, which they break
# differently, are marked "clang-format off". No line of code or of a script is longer than 100
# columns, either, as clang-format leaves comments alone, and what it is told to leave.
set -eu

mode='--dry-run -Werror'
[ "${1-}" != --write ] || mode=-i
# shellcheck disable=SC2086 # options, one word each
find ./*/ -path ./build/ -prune -o \( -name '*.[ch]' -o -name '*.cpp' \) \
    -exec clang-format $mode {} +

long=$(find ./*/ -path ./build/ -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.glsl' -o -name '*.vert' -o -name '*.frag' \
    -o -name '*.sh' -o -name '*.py' -o -name '*.gp' \) \
    -exec awk 'length($0) > 100 { printf "%s:%d: %d columns\n", FILENAME, FNR, length($0) }' {} +)
[ -z "$long" ] || {
    printf '%s\n' "$long" "these lines are longer than 100 columns" >&2
    exit 1
}
