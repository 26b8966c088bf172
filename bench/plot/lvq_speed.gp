# Samples a second of GLVQ, against the samples of a batch.
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set key at screen 0.5, 0.02 center bottom horizontal maxcols 4
set multiplot layout 1, 2 margins 0.08, 0.98, 0.19, 0.89 spacing 0.1, 0.1 \
    title 'Training of GLVQ - '.device noenhanced
rivals = "'auto' 'tiles' 'reduction' 'fused' 'C unrolled' 'C' 'OpenBLAS 1' 'OpenBLAS all'"
do for [prototypes in '1 8'] {
    set title 'prototypes of each class: '.prototypes
    set xlabel 'samples a batch'
    set ylabel 'samples a second'
    set xrange [0.7:12000]
    set xtics (1, 4, 16, 64, 256, 1024, 4096)
    if (prototypes eq '8') { set key off }
    plot for [i = 1:words(rivals)] results.'/lvq.csv' \
        using 2:(strcol(1) eq prototypes && strcol(3) eq word(rivals, i) ? $7 : NaN) \
        with linespoints lt i title word(rivals, i)
}
unset multiplot
