#!/bin/sh
# web/size.sh PROGRAM - the sizes of PROGRAM.wasm and PROGRAM.js, as they are and compressed, as a
# server sends them. Fails if the compressed ones exceed a megabyte.
set -eu

limit=1000000
total=0
for file in "$1.wasm" "$1.js"; do
    packed=$(gzip -9 -c "$file" | wc -c)
    total=$((total + packed))
    echo "$file: $(wc -c <"$file") bytes, $packed compressed"
done
[ "$total" -le "$limit" ] || {
    echo "$1: $total bytes compressed, more than $limit" >&2
    exit 1
}
