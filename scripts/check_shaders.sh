#!/bin/sh
# scripts/check_shaders.sh DIR - glslangValidator accepts every shader that the tests left in DIR.
# Those of OpenGL ES are also checked without the extension that some drivers lack. No shader of the
# library declares an array of bool: zink of Mesa 22.3 ends the program when it compiles one whose
# index is not constant. Loops end by <, <=, > or >=: a device whose loop never ends is lost.
set -eu

refuse() {
    if grep -rnE "$1" shaders; then
        echo "these lines $2"
        exit 1
    fi
}
refuse '\bbool( +\w+ *,)*( +\w+)? *\[' 'declare arrays of bool'
refuse '\bfor *\([^;]*;[^;<>]*[!=]=[^;<>]*;' 'end a loop by == or != alone'

count=$(find "$1" -name '*.glsl' | wc -l)
if [ "$count" -eq 0 ]; then
    echo "no test left an assembled shader in $1"
    exit 1
fi
echo "$count shader variants"

plain=$(mktemp -d)
trap 'rm -r "$plain"' EXIT
find "$1" -name '*.glsl' -exec grep -l '^#version 310 es' {} + | xargs -r cp -t "$plain"
find "$plain" -name '*.glsl' -exec \
    sed -i 's/GL_EXT_gpu_shader5/GL_NO_extension/; /^#extension GL_NO/d' {} +

# The validator names each file that it reads; only those it complains about are of interest.
validate() {
    find "$1" "$plain" -name "*.$2*.glsl" -print0 |
        xargs -0 -r -n 400 -P "$(nproc)" glslangValidator -S "$3" >>"$1/validator.log" 2>&1
}

rm -f "$1/validator.log"
if ! { validate "$1" fragment frag && validate "$1" vertex vert &&
       validate "$1" compute comp; }; then
    awk -v folder="$1/" -v plain="$plain/" '
    index($0, folder) == 1 { file = substr($0, length(folder) + 1); next }
    index($0, plain) == 1 { file = substr($0, length(plain) + 1) " without the extension"; next }
    /[^ ]/ { print file ": " $0 }' "$1/validator.log"
    exit 1
fi
