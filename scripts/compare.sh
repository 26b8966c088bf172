#!/bin/sh
# scripts/compare.sh [-q] [-r ROUNDS] [-s STAGE] OLD NEW [BENCH...] - compares two versions.
#
# OLD and NEW are trees in which `make benches` has run, or git revisions, which are built below
# build/compare. A revision without one of the benches gets this tree's source of it. First the bits
# that seeded trainings end with are compared. Then the benches (bench_brief, which takes five
# minutes in all) run in turn, ROUNDS (3) times each. The table shows the best times of each figure,
# their ratio new/old, and the range of the ratios of single rounds. A figure is slower if the best
# time of NEW is more than 5 % above the longest of OLD. The status is 1 if there is such a figure
# or if bits differ.
#
# -q  few sizes and short measurements, for benches that have this choice
# -s  fragment or compute; without it $GLNN_STAGE
#
# All is measured twice: with plans by the built-in device profile, which is the same for both, and
# with plans by the profile that each side measures anew in each round. $GLNN_TUNE set to "off" or
# "again" chooses one of the two.
set -eu
export LC_ALL=C

# shellcheck source=scripts/find_tree.sh
. scripts/find_tree.sh

usage='usage: scripts/compare.sh [-q] [-r ROUNDS] [-s STAGE] OLD NEW [BENCH...]'
rounds=3
quick=
while getopts qr:s: option; do
    case $option in
    q) quick=--quick ;;
    r) rounds=$OPTARG ;;
    s) export GLNN_STAGE="$OPTARG" ;;
    *) fail "$usage" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || fail "$usage"
[ "$rounds" -ge 1 ] 2>/dev/null || fail "-r is '$rounds', but has to be a number from 1"
old_name=$1
new_name=$2
shift 2
[ $# -gt 0 ] || set -- bench_brief

mkdir -p build/compare
work=$(mktemp -d build/compare/run.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM

# $1: the side. Programs that a driver has compiled for one side must not serve the other.
run()
{
    side=$1
    case $side in
    old) program=$old/build/bench/$2 ;;
    new) program=$new/build/bench/$2 ;;
    esac
    shift 2
    XDG_CACHE_HOME=$PWD/$work/cache-$side "$program" "$@" ||
        fail "$program of $side ended with status $?"
}

# A training whose bits are equal but whose loss is not has another sum of the loss.
compare_bits()
{
    awk -F'\t' '
    function report(name, what) { printf "%-34s %s\n", name, what }
    NR == FNR { hash[$1] = $2; loss[$1] = $3; next }
    !($1 in hash) { report($1, "only in NEW"); next }
    hash[$1] == $2 && loss[$1] == $3 { report($1, "equal bits"); ++equal }
    hash[$1] != $2 || loss[$1] != $3 {
        scale = loss[$1] < 0 ? -loss[$1] : loss[$1]
        report($1, sprintf("DIFFERS  %s %s  loss %s %s, by %+.2g %%", hash[$1], $2, loss[$1], $3,
                           100 * ($3 - loss[$1]) / (scale > 0 ? scale : 1)))
        ++wrong
    }
    { delete hash[$1] }
    END {
        for (name in hash) {
            report(name, "MISSING in NEW")
            ++wrong
        }
        printf "%d trainings have equal bits, %d have not\n", equal, wrong
        exit wrong > 0 || !equal
    }' "$work/old" "$work/new"
}

# A row is named by its cells in front of the first time in it. Its figure is this time or, where
# the row has one, the lower quartile, which other work on the machine disturbs less.
compare_speed()
{
    awk -F, -v rounds="$rounds" '
    FNR == 1 {
        parts = split(FILENAME, part, "/")
        side = part[parts - 3]
        round = part[parts - 1]
        table = part[parts - 2] " " part[parts]
        sub(/\.csv$/, "", table)
        first = at = 0
        for (i = NF; i > 0; --i)
            if ($i ~ /_(us|ms|s)$/ && $i !~ /_per_s$/)
                first = i
        for (i = first; i > 0 && i <= NF; ++i)
            if (i == first || $i ~ /^low_/)
                at = i
        title = $at
        next
    }
    at && $at > 0 {
        name = table
        for (i = 1; i < first; ++i)
            name = name " " $i
        name = name " " title
        if (!(name in table_of))
            names[++count] = name
        table_of[name] = table
        time[side, name, round] = $at + 0
        if (!((side, name) in best) || $at + 0 < best[side, name])
            best[side, name] = $at + 0
        if (side == "old" && $at + 0 > worst[name])
            worst[name] = $at + 0
    }
    # Sets `least` and `greatest`, the range of the ratios of single rounds.
    function find_range(name,    i, ratio) {
        least = greatest = 0
        for (i = 1; i <= rounds; ++i) {
            if (!(("old", name, i) in time) || !(("new", name, i) in time))
                continue
            ratio = time["new", name, i] / time["old", name, i]
            least = least > 0 && least < ratio ? least : ratio
            greatest = greatest > ratio ? greatest : ratio
        }
    }
    END {
        printf "%-64s %10s %10s %7s  %s\n", "figure", "old", "new", "new/old", "rounds"
        for (i = 1; i <= count; ++i) {
            name = names[i]
            if (!(("old", name) in best) || !(("new", name) in best)) {
                printf "%-64s only in %s\n", name, ("old", name) in best ? "OLD" : "NEW"
                continue
            }
            find_range(name)
            ratio = best["new", name] / best["old", name]
            is_slower = best["new", name] > 1.05 * worst[name]
            printf "%-64s %10.4g %10.4g %7.3f  %.3f..%.3f%s\n", name, best["old", name],
                best["new", name], ratio, least, greatest, is_slower ? "  SLOWER" : ""
            slower += is_slower
            ++all
            ++figures[table_of[name]]
            logarithms[table_of[name]] += log(ratio)
        }
        for (table in figures)
            printf "%-64s %29.3f\n", table ", geometric mean of " figures[table] " figures",
                exp(logarithms[table] / figures[table])
        printf "%d of %d figures are slower\n", slower, all
        exit slower > 0 || !all
    }' "$work"/rounds/old/*/*/*.csv "$work"/rounds/new/*/*/*.csv
}

targets=build/bench/trainings
for bench in "$@"; do
    targets="$targets build/bench/$bench"
done
# shellcheck disable=SC2086 # one word each
old=$(find_tree "$old_name" $targets)
# shellcheck disable=SC2086
new=$(find_tree "$new_name" $targets)

# Without optimisations llvmpipe compiles in half the time, and computes the same bits.
for side in old new; do
    GALLIVM_PERF=nopt run "$side" trainings >"$work/$side"
done
status=0
compare_bits || status=1
echo

round=0
sides='old new'
while [ "$((round += 1))" -le "$rounds" ]; do
    for tuning in ${GLNN_TUNE:-off again}; do
        case $tuning in
        off) profile=built-in ;;
        *) profile=measured ;;
        esac
        for side in $sides; do
            out=$work/rounds/$side/$profile/$round
            mkdir -p "$out"
            for bench in "$@"; do
                # shellcheck disable=SC2086 # no word if empty
                GLNN_TUNE=$tuning run "$side" "$bench" --out "$out" --who device $quick \
                    >"$work/log"
            done
        done
    done
    [ "$sides" = 'old new' ] && sides='new old' || sides='old new'
done
compare_speed || status=1
exit $status
