#!/usr/bin/env bash
# scripts/clang_reads.sh COMPILER [OPTION...] -- FILE... - clang reads files and has no warnings.
#
# clang takes longer to start than to read a file, and its driver starts it once a file. So this
# asks the driver for the command that reads the first file, and runs it with all files.
set -euo pipefail

call=()
while [ "$1" != -- ]; do
    call+=("$1")
    shift
done
shift

line=$("${call[@]}" -Werror -fsyntax-only '-###' "$1" 2>&1 | tail -n 1)
command=()
eval "command=($line)"
unset 'command[-1]' # the first file
# clang leaves the memory of each file to the end of its process unless it is told otherwise.
for i in "${!command[@]}"; do
    [ "${command[i]}" != -disable-free ] || unset "command[i]"
done
printf '%s\0' "$@" | xargs -0 -n 64 "${command[@]}"
