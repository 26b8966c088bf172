#!/bin/sh
# scripts/check_shaders.sh DIR - glslangValidator accepts every shader that the tests left in DIR.
set -eu

count=$(find "$1" -name '*.glsl' | wc -l)
if [ "$count" -eq 0 ]; then
    echo "no test left an assembled shader in $1"
    exit 1
fi
echo "$count shader variants"

# The validator names each file that it reads; only those it complains about are of interest.
validate() {
    find "$1" -name "*.$2*.glsl" -print0 |
        xargs -0 -r -n 400 -P "$(nproc)" glslangValidator -S "$3" >>"$1/validator.log" 2>&1
}

rm -f "$1/validator.log"
if ! { validate "$1" fragment frag && validate "$1" compute comp; }; then
    awk -v folder="$1/" '
    index($0, folder) == 1 { file = substr($0, length(folder) + 1); next }
    /[^ ]/ { print file ": " $0 }' "$1/validator.log"
    exit 1
fi
