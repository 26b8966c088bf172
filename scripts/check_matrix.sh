#!/usr/bin/env bash
# scripts/check_matrix.sh [NAME...] - the checks with every compiler, sanitizer, tier, release and
# driver, one after another, and a table of what passed.
#
# NAME: only these rows of the table below. A row that fails does not stop the others. build/matrix
# has the log of each row. The exit status is 1 if one has failed. All rows take hours on two cores.
#
# The variables of scripts/check.sh apply to all rows: GLNN_TEST_ALL=1 runs all cases of all tests.
set -euo pipefail
export LC_ALL=C

logs=build/matrix

# A row: its name, what it checks, and the command. Those of gcc and clang run the tests in all ways
# of tests/stages.txt, and the other checks.
rows="
gcc      | gcc, all ways                  | make CC=gcc check
clang    | clang, all ways                | make CC=clang check
targets  | the tier targets               | in_targets && make check-drivers ARGS=llvmpipe-webgl
es       | the tier ES                    | make check-drivers ARGS='llvmpipe-es softpipe-es'
asan     | address sanitizer              | make check-asan
ubsan    | undefined behaviour sanitizer  | make check-ubsan
tsan     | thread sanitizer               | make check-tsan
debian13 | Debian 13, gcc, all ways       | in_debian13 make O=build/trixie B=build/trixie check
drivers  | other drivers, Debian 12, 13   | in_drivers
"

in_drivers() {
    make check-drivers ARGS='llvmpipe-trixie zink zink-trixie virgl virgl-trixie'
}

# The programs to which tests/stages.txt adds this way.
in_targets() {
    make test TESTS="$(awk '$2 ~ /[+]targets/ { print $1 "_in_targets" }' tests/stages.txt | xargs)"
}

# A folder with the release; `make check` installs the other packages that it needs there.
in_debian13() {
    scripts/deps.sh drivers && scripts/in_release.sh "$logs/trixie" trixie make "$@"
}

# Sets `name`, `what` and `command` from a line of the table.
split() {
    IFS='|' read -r name what command <<<"$1"
    read -r name <<<"$name"
    read -r what <<<"$what"
}

# The tests of a log that passed and failed, of all its lines "N passed, M failed".
count_tests() {
    awk '{ while (match($0, /[0-9]+ passed, [0-9]+ failed/)) {
               split(substr($0, RSTART, RLENGTH), words, /[ ,]+/)
               passed += words[1]
               failed += words[3]
               $0 = substr($0, RSTART + RLENGTH)
           } }
         END { print passed + 0, failed + 0 }' "$1"
}

# Runs a row, and adds its line to the table.
run_row() {
    local log=$logs/$name.log start=$SECONDS status=0 counts note=
    echo "== $name: $what"
    (eval "$command") >"$log" 2>&1 </dev/null || status=$?
    counts=$(count_tests "$log")
    if [ "$status" -eq 77 ]; then
        note=" skipped: $(tail -n 1 "$log")"
    elif [ "$status" -ne 0 ]; then
        note=" FAILED, see $log"
        ((++failures))
    fi
    # shellcheck disable=SC2086 # two numbers
    printf '%-9s %-32s %7d %7d %8d%s\n' "$name" "$what" $counts "$(((SECONDS - start + 30) / 60))" \
        "$note" | tee -a "$logs/table"
    sed -n 's/^ *failed: /    failed: /p' "$log"
}

for wanted in "$@"; do
    if ! grep -q "^$wanted  *|" <<<"$rows"; then
        echo "scripts/check_matrix.sh: there is no row '$wanted'" >&2
        exit 2
    fi
done

mkdir -p "$logs"
failures=0
printf '%-9s %-32s %7s %7s %8s\n' row what passed failed minutes >"$logs/table"
while read -r line; do
    split "$line"
    if [ -n "$name" ] && [[ $# -eq 0 || " $* " == *" $name "* ]]; then
        run_row
    fi
done <<<"$rows"
echo
cat "$logs/table"
[ "$failures" -eq 0 ]
