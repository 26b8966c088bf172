#!/bin/sh
# scripts/embed_shaders.sh NAME FOLDER FILE... - writes a C file that holds files as bytes: shaders,
# or the templates of exports.
#
# The C file defines the array NAMEs and the number of its elements, NAME_count. Each FILE lies
# below FOLDER; its name in the C file is relative to that folder.
set -eu
export LC_ALL=C

if [ $# -lt 3 ]; then
    echo "scripts/embed_shaders.sh: no files" >&2
    exit 1
fi

name=$1
folder=$2
shift 2

echo '#include "pass/embedded.h"'
number=0
for file in "$@"; do
    printf '\nstatic const unsigned char file_%d[] = {\n' "$number"
    od -An -v -tx1 "$file" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
    # A last zero lets an empty file be an array and every file be a string.
    echo '0x00};'
    number=$((number + 1))
done

printf '\nconst struct glnn__embedded_file %ss[] = {\n' "$name"
number=0
for file in "$@"; do
    printf '    {"%s", file_%d},\n' "${file#"$folder"/}" "$number"
    number=$((number + 1))
done
printf '};\n\nconst size_t %s_count = %d;\n' "$name" "$number"
