#!/bin/sh
# scripts/check_format.sh [--write] - all C files look as .clang-format says; --write makes them so.
set -eu

mode='--dry-run -Werror'
[ "${1-}" != --write ] || mode=-i
# shellcheck disable=SC2086 # options, one word each
find ./*/ -path ./build/ -prune -o -name '*.[ch]' -exec clang-format $mode {} +
