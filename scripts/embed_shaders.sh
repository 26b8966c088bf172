#!/bin/sh
# scripts/embed_shaders.sh FILE... - writes a C file that holds shader files as bytes.
#
# FILE is below shaders/; the names in the C file are relative to that folder.
set -eu
export LC_ALL=C

if [ $# -eq 0 ]; then
    echo "scripts/embed_shaders.sh: no shader files" >&2
    exit 1
fi

echo '#include "pass/embedded.h"'
number=0
for file in "$@"; do
    printf '\nstatic const unsigned char file_%d[] = {\n' "$number"
    od -An -v -tx1 "$file" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
    # A last zero lets an empty file be an array and every file be a string.
    echo '0x00};'
    number=$((number + 1))
done

printf '\nconst struct glnn__embedded_file glnn__embedded_files[] = {\n'
number=0
for file in "$@"; do
    printf '    {"%s", file_%d, sizeof file_%d - 1},\n' "${file#shaders/}" "$number" "$number"
    number=$((number + 1))
done
printf '};\n\nconst size_t glnn__embedded_file_count = %d;\n' "$number"
