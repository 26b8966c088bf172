#!/usr/bin/env bash
# scripts/fuzz.sh PROGRAM SECONDS [TARGET...] - libFuzzer looks for inputs that make a reader of
# bytes from outside fail.
#
# PROGRAM is tests/fuzz/fuzz, as `make fuzz` builds it. Each target runs for so many seconds, or
# each of those that are named, and as many as processors run side by side. Inputs that cover
# further lines stay in build/fuzz/TARGET for the next run. The table at the end is that of
# docs/trust.md.
#
# An input that makes a reader fail is written to tests/fuzz/findings/TARGET, where `make check`
# reads it. The command that repeats the failure is printed.
set -euo pipefail
export LC_ALL=C

program=$1
seconds=$2
shift 2

corpus=build/fuzz
work=$(mktemp -d "${TMPDIR:-/tmp}/glnn-fuzz.XXXXXX")
mkdir "$work/temporary"

cleanup() {
    local pid
    for pid in $(jobs -p); do
        kill "$pid" 2>/dev/null || true
    done
    wait
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

for name in $(compgen -e GLNN_); do
    unset "$name"
done

# The sanitizer, the driver and libFuzzer keep memory, too. The driver computes as in
# scripts/check.sh.
megabytes=2048
seconds_of_an_input=10
export TMPDIR=$work/temporary
export GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128 LP_NUM_THREADS=0
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1

# The tools of the compiler's version: Debian names them by it.
version=$(clang -dumpversion)
version=${version%%.*}
tool() {
    command -v "$1-$version" || command -v "$1"
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)

# Name, bytes of the longest input, megabytes at once and sources of each target.
LLVM_PROFILE_FILE=/dev/null "$program" >"$work/targets"
for name in "$@"; do
    grep -q "^$name	" "$work/targets" || {
        echo "there is no target '$name'; there are" "$(cut -f 1 "$work/targets" | xargs)" >&2
        exit 2
    }
done
[ $# -gt 0 ] || mapfile -t all < <(cut -f 1 "$work/targets")
targets=("${@:-${all[@]}}")

field() {
    awk -F '\t' -v name="$1" -v place="$2" '$1 == name { print $place }' "$work/targets"
}

# Runs the program, and ends it when this shell is ended.
run_program() {
    "$program" "$@" &
    # shellcheck disable=SC2064 # this process, not a later one
    trap "kill $!" TERM
    wait "$!"
}

run_target() {
    local name=$1 status=0 findings=tests/fuzz/findings/$1 most at_once input
    local log=$work/$name.log own=$corpus/$name seeds=$work/seeds/$name
    most=$(field "$name" 2)
    at_once=$(field "$name" 3)
    mkdir -p "$own" "$seeds" "$findings"
    export GLNN_FUZZ_TARGET=$name LLVM_PROFILE_FILE=/dev/null
    GLNN_FUZZ_SEEDS=$seeds "$program" >"$log" 2>&1 || status=$?
    [ "$status" -ne 0 ] || run_program "-max_total_time=$seconds" "-max_len=$most" \
        "-malloc_limit_mb=$at_once" "-rss_limit_mb=$megabytes" \
        "-timeout=$seconds_of_an_input" "-artifact_prefix=$findings/" \
        "$own" "$seeds" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        {
            echo "FAILED  $name (status $status)"
            grep -a 'ERROR: \|runtime error\|^SUMMARY' "$log" || tail -n 20 "$log"
            grep -a '^ *#[0-9]* .* /.*:[0-9]' "$log" | head -n 8 || true
            [ -z "$input" ] || echo "repeat: GLNN_FUZZ_TARGET=$name $program $input"
        } >"$work/$name.report"
        cat "$work/$name.report"
    fi
    rmdir "$findings" 2>/dev/null || true
    # Once more without changes, to count the lines that the inputs cover.
    LLVM_PROFILE_FILE=$work/$name.profraw "$program" -runs=0 "$own" "$seeds" >"$log.covered" 2>&1 ||
        true
    report_target "$name" "$log"
}

# One line of the table. Sources that also write files have functions that no input reaches.
report_target() {
    local name=$1 log=$2 executed lines
    executed=$(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 \2/p' "$log")
    lines='- | -'
    if [ -e "$work/$name.profraw" ]; then
        "$profdata" merge "$work/$name.profraw" -o "$work/$name.profdata"
        # shellcheck disable=SC2046 # a list of files, one word each
        lines=$("$cov" report -show-functions -instr-profile "$work/$name.profdata" "$program" \
            $(field "$name" 4) | awk '
            $5 ~ /^[0-9]+$/ && $6 ~ /^[0-9]+$/ && $1 != "TOTAL" {
                all += $5
                if ($6 < $5) {
                    reached += $5
                    covered += $5 - $6
                }
            }
            END {
                printf "%d of %d = %.0f %% | %d = %.0f %%", covered, all, 100 * covered / all,
                    reached, 100 * covered / reached
            }')
    fi
    # shellcheck disable=SC2086 # two numbers
    set -- ${executed:-0 0}
    echo "| $name | $1 | $(($1 / ($2 > 0 ? $2 : 1))) | $lines |" >"$work/$name.line"
}

mkdir -p "$work/seeds" "$corpus"
jobs=$(nproc)
for name in "${targets[@]}"; do
    while (($(jobs -rp | wc -l) >= jobs)); do
        wait -n || true
    done
    run_target "$name" &
done
wait

echo "| target | inputs | a second | lines covered | lines of the functions reached |"
echo "|---|---|---|---|---|"
for name in "${targets[@]}"; do
    cat "$work/$name.line" 2>/dev/null || echo "| $name | - | - | - | - |"
done
if compgen -G "$work/*.report" >/dev/null; then
    echo "failed:" "$(basename -s .report "$work"/*.report | xargs)"
    exit 1
fi
