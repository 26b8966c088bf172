#!/usr/bin/env bash
# scripts/check_clang.sh - clang has no warning about any source.
#
# Neither optimisation nor code that is made gives clang further warnings, so it only reads. `make`
# says which sources there are, and their options.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/glnn-clang.XXXXXX")
trap 'rm -rf "$work"' EXIT

make_with_clang()
{
    make -s CC=clang CFLAGS= SANITIZE= WERROR=1 O="$work" B="$work" "$@"
}

# A line for each source: its options as one word each, a tab, and its name.
make_with_clang -n objects |
    sed -n 's/^ *\(clang.*[^ ]\) *-MMD -MP -c \([^ ]*\) -o .*/\1\t\2/p' | sort >"$work/commands"
[ -s "$work/commands" ] || { echo "make objects names no source"; exit 1; }
mapfile -t generated < <(cut -f 2 "$work/commands" | grep "^$work/")
make_with_clang "${generated[@]}"

# GLEW's header is longer than most sources of the library, and the public headers than most of the
# others, so these are read once for all of them. They include others before a source can define
# _GNU_SOURCE, so the command line does.
echo '#include <GL/glew.h>' >"$work/lib.h"
printf '#include <%s>\n' stdio.h stdlib.h string.h math.h glnn/glnn.h >"$work/user.h"

status=0
while read -r options; do
    mapfile -t files < <(awk -F '\t' -v options="$options" '$1 == options { print $2 }' \
        "$work/commands")
    # shellcheck disable=SC2086 # a compiler and its options, one word each
    {
        if [[ $options == 'clang '* ]]; then
            [[ $options == *' -fvisibility=hidden'* ]] && header=lib || header=user
            options+=' -D_GNU_SOURCE='
            $options -x c-header "$work/$header.h" -o "$work/$header.pch"
            options+=" -include-pch $work/$header.pch"
        fi
        scripts/clang_reads.sh $options -- "${files[@]}" || status=1
    }
done < <(cut -f 1 "$work/commands" | uniq)
exit "$status"
