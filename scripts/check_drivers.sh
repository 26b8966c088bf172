#!/usr/bin/env bash
# scripts/check_drivers.sh BUILD [NAME...] - runs tests of what is built in BUILD on other drivers.
#
# All drivers are packages of Debian and compute on the CPU. Those of this machine run as they are
# installed. Those of another release run in a folder that debootstrap makes in BUILD/drivers, which
# needs root and stays for later runs. The programs are the same everywhere.
#
# Each line of the report is one driver with its version, the tests that passed and failed, and the
# seconds. BUILD/drivers has the whole reports. The exit status is 1 if a driver is not as its row
# below says. NAME: only these rows.
set -euo pipefail
export LC_ALL=C

build=$1
shift

# Programs that do not run in OpenGL ES: fragments do not write images there, hosts of some tests
# have desktop OpenGL, and others count passes or waits of the tier full.
es="operations_in_images writes textures windows drivers context adoption guest list fences svm"
# WebGL has neither compute shaders nor compiled programs.
webgl="operations_in_compute convolution_in_compute network_sink_in_compute lvq_step_in_compute \
program_cache"
# Further ones on softpipe, which hands out no compiled programs, and has no texture of 2^24 rows.
# Long trainings take minutes.
soft="copy program_cache network_kinds layer_recurrent layer_spectrogram distortion image stream \
train"

# A driver a row. Its fields are its name, "machine" or a release of Debian, the expected outcome,
# the programs that do not run on it, and the variables that select it. The outcome is "passes", or
# words of the sentence by which the library refuses the driver. docs/drivers.md says why a program
# does not run.
rows="
llvmpipe        | machine | passes |        |
llvmpipe-trixie | trixie  | passes |        |
zink            | machine | passes |        | MESA_LOADER_DRIVER_OVERRIDE=zink
zink-trixie     | trixie  | passes |        | MESA_LOADER_DRIVER_OVERRIDE=zink
virgl           | machine | passes |        | GALLIUM_DRIVER=virpipe
virgl-trixie    | trixie  | passes | writes | GALLIUM_DRIVER=virpipe
llvmpipe-es     | machine | passes | $es    | GLNN_API=es
llvmpipe-webgl  | machine | passes | $es $webgl | GLNN_API=webgl
softpipe-es     | machine | passes | $es $soft | GALLIUM_DRIVER=softpipe GLNN_API=es
"

# Of Mesa alone, whatever else the machine has.
common='__EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/50_mesa.json
LIBGL_ALWAYS_SOFTWARE=1'

# Together these run every operation, layout, storage and kind of learner, the stages and ways to
# write, both kinds of contexts and the work-arounds for drivers.
tests='
operations operations_in_compute operations_in_images
gemm gemm_passes reduce softmax nearest distances scatter_add binary copy kernel list view
storage matrix textures adoption download writes windows fences drivers
convolution convolution_in_compute layer_batch_norm layer_pooling layer_recurrent layer_spectrogram
network_kinds network_sink network_sink_in_compute lvq_step lvq_step_in_compute kmeans gmm svm
pca lda image distortion stream train program_cache context guest
'

# The drivers of another release, and packages that the programs and scripts/check.sh use. gcc
# compiles learners that the programs export.
packages='libegl1 libegl-mesa0 libgl1-mesa-dri mesa-vulkan-drivers virgl-server xvfb
libglew2.2 libglfw3 libpng16-16t64 libsndfile1 liblapacke libcmocka0 gcc libc6-dev'

folders=$build/drivers
probe=$build/examples/tutorial/1_context
mkdir -p "$folders"

server=
trap '[ -z "$server" ] || kill "$server"' EXIT
trap 'exit 1' HUP INT TERM

# Sets `enter`, the words that begin a command in a release.
set_enter() {
    enter=(env)
    [ "$1" = machine ] || enter=(scripts/in_release.sh "$folders/$1" "$1" "$packages" env)
}

# The other end of virgl, which computes by llvmpipe: as in scripts/check.sh, without optimisations,
# and in one thread.
start_server() {
    # shellcheck disable=SC2086 # variables, one word each
    "${enter[@]}" $common GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128 LP_NUM_THREADS=0 \
        XDG_CACHE_HOME="$PWD/$build/test-cache" \
        virgl_test_server --use-egl-surfaceless >"${log%.log}_server.log" 2>&1 &
    server=$!
    sleep 2
}

stop_server() {
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
}

# Prints the names and versions of driver and OpenGL, or why there is no context.
describe() {
    # shellcheck disable=SC2086 # variables, one word each
    "${enter[@]}" $variables "$probe" 2>&1 |
        awk '/^(device|OpenGL) / { sub(/^[^ ]* +/, ""); line = line (line ? ", OpenGL " : "") $0 }
             /^error: glnn_/ { line = $0 }
             { last = $0 }
             END { print line ? line : last }'
}

run_tests() {
    local name names=()
    for name in $tests; do
        [[ " $without " == *" $name "* ]] || names+=("$name")
    done
    "${enter[@]}" GLNN_TEST_SETTINGS="$variables" scripts/check.sh tests "$build" "${names[@]}"
}

# Sets `outcome`. The status says whether the driver is as expected.
try_driver() {
    local expected=$1 log=$2
    outcome=$(describe)
    if [ "$expected" != passes ]; then
        [[ $outcome == *"$expected"* ]]
    elif [[ $outcome != *", OpenGL "* ]]; then
        return 1
    else
        local status=0
        run_tests >"$log" 2>&1 || status=1
        outcome="$outcome: $(tail -n 1 "$log")"
        return "$status"
    fi
}

check_driver() {
    local name=$1 release=$2 expected=$3 without=$4 variables="$common $5"
    local verdict=ok log=$folders/$1.log outcome start=$SECONDS enter status=0
    set_enter "$release"
    outcome=$("${enter[@]}" true 2>&1) || status=$?
    if [ "$status" -eq 77 ]; then
        echo "skipped $name: $outcome"
        ((++skipped))
        return
    elif [ "$status" -ne 0 ]; then
        verdict=FAILED
    else
        [[ $variables != *virpipe* ]] || start_server
        try_driver "$expected" "$log" || verdict=FAILED
        [ -z "$server" ] || stop_server
    fi
    printf '%-7s %s: %s, %d s\n' "$verdict" "$name" "$outcome" "$((SECONDS - start))"
    if [ "$verdict" = ok ]; then
        ((++expected_ones))
    else
        ((++unexpected))
        sed -n 's/^failed: /        &/p' "$log" 2>/dev/null || true
    fi
}

for name in "$@"; do
    if ! grep -q "^$name  *|" <<<"$rows"; then
        echo "scripts/check_drivers.sh: there is no row '$name'" >&2
        exit 2
    fi
done

expected_ones=0 unexpected=0 skipped=0
while IFS='|' read -r name release expected without variables; do
    read -r name <<<"$name"
    if [ -n "$name" ] && [[ $# -eq 0 || " $* " == *" $name "* ]]; then
        read -r release <<<"$release"
        read -r expected <<<"$expected"
        check_driver "$name" "$release" "$expected" "$without" "$variables" </dev/null
    fi
done <<<"$rows"
echo
echo "drivers: $expected_ones as expected, $unexpected not, $skipped skipped"
[ "$unexpected" -eq 0 ]
