#!/bin/sh
# bench/plot/plot.sh [RESULTS [OUT]] - charts, PNG and SVG, of the CSV files that the benchmarks
# wrote into RESULTS (build/bench), to OUT (RESULTS/charts).
set -eu

results=${1-build/bench}
out=${2-$results/charts}
here=$(dirname "$0")

command -v gnuplot >/dev/null || {
    echo "bench/plot/plot.sh: gnuplot is missing; scripts/deps.sh bench installs it" >&2
    exit 1
}
mkdir -p "$out"

# draw CHART CSV: what was not measured is not drawn.
draw()
{
    [ -s "$results/$2.csv" ] || return 0
    for format in png svg; do
        gnuplot -e "results='$results'; format='$format'; out='$out/$1.$format'" \
            "$here/style.gp" "$here/$1.gp"
        echo "$out/$1.$format"
    done
}

draw backprop_hidden backprop
draw backprop_patterns backprop
draw then_and_now packing
draw gemm gemm
draw lvq_published lvq
draw lvq_speed lvq
draw lvq_speedup lvq
draw lvq_split lvq
draw glvq_curves glvq_curves
draw mlp mlp
draw layouts layouts
