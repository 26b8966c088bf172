#!/usr/bin/env bash
# scripts/check.sh all|tests BUILD [TEST...] - the checks of what is built in BUILD.
# scripts/check.sh list BUILD - prints each program of tests with the ways to run it.
# scripts/check.sh with BUILD COMMAND... - runs a command with the variables and display of tests.
#
# `tests` runs the test programs, or only those that are named: test_gemm or gemm, or
# gemm_in_compute, gemm_in_images and gemm_in_targets for the other ways to run it. `all` runs each
# program in the ways that tests/stages.txt gives it, and the other checks. Each line of the
# report is one program or one check; at the end come the names of what failed and one line of
# counts, in which each test of a program counts as one.
#
# GLNN_TEST_JOBS     programs run side by side (one more than processors: some wait for files)
# GLNN_TEST_TIMEOUT  seconds of processor time after which a program is ended (300); a program or a
#                    check is ended after twice as many seconds by the clock, in case it only waits
# GLNN_TEST_ALL      if set, programs run all cases of their tables, and llvmpipe has its threads
# GLNN_TEST_BUILD    set for the programs: BUILD, where they find the examples
# GLNN_TEST_SETTINGS  further variables for the programs: 'NAME=VALUE NAME=VALUE'
# GLNN_TEST_VARIABLES  set for the programs: variables with which they start the examples
set -euo pipefail
shopt -s nullglob
export LC_ALL=C

scope=$1
build=$2
shift 2

jobs=${GLNN_TEST_JOBS:-$(($(nproc) + 1))}
limit=${GLNN_TEST_TIMEOUT:-300}

work=$(mktemp -d "${TMPDIR:-/tmp}/glnn-check.XXXXXX")
results=$work/results
mkdir "$work"/{home,locale,log,shaders,temporary}
: >"$results"

xvfb=
cleanup() {
    local pid
    for pid in $(jobs -p) $xvfb; do
        kill "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

# Tests must neither see nor touch what the user has set and stored. Compiling shaders takes most of
# the time of a first run: the results stay in the build folder, and llvmpipe leaves out its
# optimisations, which more than halves that time and changes no result. It computes in narrow
# vectors, which saves a quarter of the rest; the tutorial has those of the device.
isolate() {
    local name
    for name in $(compgen -e GLNN_); do
        case $name in
        GLNN_DATA_DIR | GLNN_TEST_*) ;;
        *) unset "$name" ;;
        esac
    done
    export HOME=$work/home TMPDIR=$work/temporary XDG_CACHE_HOME=$PWD/$build/test-cache
    export GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128
    # Programs run side by side. Threads of llvmpipe make none of them faster then, and to hand over
    # a small pass to them takes several times as long as to draw it.
    [ -n "${GLNN_TEST_ALL-}" ] || export LP_NUM_THREADS=0
    # Giving memory back to the system interrupts all threads of a program, and it is needed again.
    # With the first threshold set, glibc no longer raises the second one, above which it maps pages
    # for each piece of memory. The compiler of llvmpipe takes many; 32 MiB is the most.
    export MALLOC_TRIM_THRESHOLD_=100000000 MALLOC_MMAP_THRESHOLD_=33554432
    export GLNN_TEST_BUILD=$build
    export CMOCKA_MESSAGE_OUTPUT=TAP
    export GLNN_DUMP_SHADERS=$work/shaders
    export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:${ASAN_OPTIONS-}
    export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
    # A program with a window unloads Mesa's driver before it ends, and a module that is gone has no
    # name by which its leaks can be suppressed. So the tests start programs with the driver loaded.
    if [[ $build == *asan* ]]; then
        GLNN_TEST_VARIABLES=LD_PRELOAD=$(compgen -G "/usr/lib/*/dri/swrast_dri.so" | head -n 1 || :)
        export GLNN_TEST_VARIABLES ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
    fi
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    local supp=$PWD/tests/tsan.supp
    export TSAN_OPTIONS=suppressions=$supp:allocator_may_return_null=1:${TSAN_OPTIONS-}
}

# A locale with a decimal comma, whether or not the machine has one.
make_locale() {
    localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8" >/dev/null 2>&1 || true
    export LOCPATH=$work/locale
}

start_display() {
    # Without -noreset it starts over, and refuses others for a moment, when a last program leaves.
    Xvfb -displayfd 3 -noreset -screen 0 640x480x24 -nolisten tcp \
        3>"$work/display" >"$work/xvfb.log" 2>&1 &
    xvfb=$!
    disown
    local tenths=0
    until [ -s "$work/display" ]; do
        if ! kill -0 "$xvfb" 2>/dev/null || ((++tenths > 150)); then
            echo "Xvfb does not start:"
            cat "$work/xvfb.log"
            exit 1
        fi
        sleep 0.1
    done
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
    unset WAYLAND_DISPLAY XAUTHORITY
}

# Turns what one program said in TAP into lines "ok NAME: TEST" or "failed NAME: TEST". Tests that
# were announced and never reported are one failure, as is a bad end without a failed test.
judge() {
    awk -v name="$1" -v status="$2" -v limit="$limit" '
    /^1\.\.[0-9]+/ { planned += substr($0, 4) }
    /^(not )?ok [0-9]+ # SKIP/ { ++reported; print "skipped " name ": " $NF; next }
    /^ok [0-9]+ - / { ++reported; sub(/^ok [0-9]+ - /, ""); print "ok " name ": " $0 }
    /^not ok [0-9]+ - / {
        ++reported
        ++failures
        sub(/^not ok [0-9]+ - /, "")
        print "failed " name ": " $0
    }
    END {
        if (status == 152)
            print "failed " name ": ended after " limit " s of processor time"
        else if (status == 124 || status == 137)
            print "failed " name ": ended after " 2 * limit " s"
        else if (reported < planned)
            print "failed " name ": status " status " after " reported + 0 " of " planned " tests"
        else if (status != 0 && !failures)
            print "failed " name ": status " status
        else if (!planned)
            print "ok " name
    }'
}

# Reports of programs that run side by side must not mix.
report() {
    flock "$work/lock" cat "$1"
}

# Runs a command, and ends it after the limit or when this shell is ended. Writes what it prints to
# LOG.out and LOG.err, and the seconds of processor time that it took to LOG.seconds.
run_limited() {
    local log=$1 status=0 TIMEFORMAT='%U %S'
    shift
    {
        time {
            timeout -k 10 "$((2 * limit))" "$@" >"$log.out" 2>"$log.err" </dev/null &
            # shellcheck disable=SC2064 # this process, not a later one
            trap "kill $!" TERM
            wait "$!"
        }
    } 2>"$log.times" || status=$?
    awk '{ printf "%.0f", $1 + $2 }' "$log.times" >"$log.seconds"
    return "$status"
}

# Both of these run in a shell of their own.
run_program() {
    local program=$1 way=$2 status=0
    local name=${program##*/}${way:+_in_$way}
    local log=$work/log/$name stage='' writes='' tier=''
    case $way in
    compute) stage=compute ;;
    images) writes=images ;;
    targets) tier=targets ;;
    esac
    ulimit -S -t "$limit"
    export GLNN_STAGE=$stage GLNN_WRITES=$writes GLNN_TIER=$tier GLNN_TARGETS=${tier:+4}
    # shellcheck disable=SC2086 # variables, one word each
    run_limited "$log" env ${GLNN_TEST_SETTINGS-} "$program" || status=$?
    judge "$name" "$status" <"$log.out" >"$log.results"
    {
        if grep -q '^failed ' "$log.results"; then
            echo "FAILED  $name ($(<"$log.seconds") s)"
            grep -v '^ok ' "$log.out" || true
            cat "$log.err"
        else
            echo "ok      $name ($(grep -c '^ok ' "$log.results" || true) tests," \
                "$(<"$log.seconds") s)"
        fi
        grep '^skipped ' "$log.results" || true
    } >"$log.report"
    report "$log.report"
}

check() {
    local name=$1 log=$work/log/check status=0
    shift
    run_limited "$log" "$@" || status=$?
    if [ "$status" -eq 0 ]; then
        echo "ok $name" >>"$results"
        echo "ok      $name ($(<"$log.seconds") s)" >"$log.report"
    else
        echo "failed $name" >>"$results"
        echo "FAILED  $name (status $status, $(<"$log.seconds") s)" |
            cat - "$log.out" "$log.err" >"$log.report"
    fi
    report "$log.report"
}

# Waits until fewer than so many jobs run. `wait` alone also waits for a process substitution that
# has ended, and then sometimes does not return (bash 5.2).
wait_until_fewer() {
    while (($(jobs -rp | wc -l) >= $1)); do
        wait -n || true
    done
}

# Each entry is a program, or a way to run it, a colon and a program. Whatever already runs in the
# background is one of the jobs.
run_programs() {
    local entry way
    for entry in "$@"; do
        wait_until_fewer "$jobs"
        case $entry in
        *:*) way=${entry%%:*} ;;
        *) way= ;;
        esac
        run_program "${entry#*:}" "$way" &
    done
    wait_until_fewer 1
    cat /dev/null "$work"/log/*.results >>"$results"
}

# Prints what tests/stages.txt says of a program. Ways in parentheses are left out unless all cases
# are run.
ways_of() {
    awk -v name="$1" -v all="${GLNN_TEST_ALL-}" '$1 == name {
        gsub(all == "" ? "[(][+][a-z]*[)]" : "[(][a-z,]*[)]", "", $2)
        gsub("[()]", "", $2)
        print $2
        exit
    }' tests/stages.txt
}

# Whether a program runs in a way: all run in the first one, in those of compute and images that
# tests/stages.txt does not leave out, and in targets if it is added there.
runs_in() {
    case $2 in
    '') ;;
    targets) [[ ,$(ways_of "$1"), == *,+targets,* ]] ;;
    *) [[ ,$(ways_of "$1"), != *,$2,* ]] ;;
    esac
}

# All that are built. The Makefile leaves out those that need a library which is not there.
list_programs() {
    local source name
    for source in tests/test_*.c; do
        name=$(basename "$source" .c)
        if [ -e "$build/tests/$name" ]; then
            echo "$name"
        else
            echo "skipped $name, which is not built: a library that it needs is missing" >&2
        fi
    done
}

# Prints what to run: all programs in all their ways in the scope `all`, else the programs that are
# named, or all. A name with _in_compute or _in_images is run in that way. Programs take longest in
# the compute stage, so these come first, and few long ones write images, so these come last: at the
# end no processor waits long for the last one. First of all comes the one that hardly computes, and
# waits for minutes until processes miss each other.
select_programs() {
    local name way
    if [ $# -eq 0 ]; then
        # shellcheck disable=SC2046 # names of files without spaces
        set -- $(list_programs)
    fi
    set -- "${@#test_}"
    if [ "$scope" != all ]; then
        for name in "$@"; do
            way=${name##*_in_}
            case $way in
            compute | images | targets) echo "$way:$build/tests/test_${name%_in_*}" ;;
            *) echo "$build/tests/test_$name" ;;
            esac
        done
        return
    fi
    for way in compute '' images targets; do
        for name in "$@"; do
            if runs_in "$name" "$way"; then
                echo "${way:+$way:}$build/tests/test_$name"
            fi
        done
    done | awk '/_mpi_faults$/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }'
}

# The checks that need no result of a test.
run_checks() {
    check "list of ways to run the tests" scripts/check_stages.sh
    check "faults that tests cannot see" scripts/mutants.py --check
    check "layers" scripts/check_layers.sh "$build"
    check "public headers" scripts/check_headers.sh
    check "exported symbols" scripts/check_symbols.sh "$build"
    check "version" scripts/check_version.sh
    check "format" scripts/check_format.sh
    check "sentences" scripts/check_prose.py
    check "reference pages" scripts/make_docs.sh "$build"
    check "drawings" scripts/check_drawings.sh "$build"
    check "tutorial" scripts/check_tutorial.py "$build"
    check "documents" scripts/check_documents.py "$build"
    check "clang without warnings" scripts/check_clang.sh
    check "installed library" scripts/check_install.sh
}

summarise() {
    local passed failed
    passed=$(grep -c '^ok ' "$results" || true)
    failed=$(grep -c '^failed ' "$results" || true)
    echo
    sed -n 's/^failed /failed: /p' "$results"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}

if [ "$scope" = list ]; then
    scope=all select_programs
    exit
fi
isolate
make_locale
start_display
if [ "$scope" = with ]; then
    "$@"
    exit
fi
mapfile -t programs < <(select_programs "$@")
if [ "$scope" = all ]; then
    run_checks &
fi
run_programs "${programs[@]}"
if [ "$scope" = all ]; then
    check "shaders accepted by glslangValidator" scripts/check_shaders.sh "$work/shaders" &
    wait_until_fewer 1
fi
summarise
