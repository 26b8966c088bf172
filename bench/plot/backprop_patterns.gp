# Time of a back-propagation step against patterns, for four sizes of the hidden layer.
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set xrange [3:22000]
set yrange [1e-7:100]
set key at screen 0.8, 0.9 left top samplen 2
set multiplot layout 2, 2 margins 0.08, 0.78, 0.09, 0.9 spacing 0.08, 0.14 \
    title 'Back-propagation, net 2-M-1 - '.device noenhanced
units = '4 64 256 1024'
do for [u = 1:4] {
    set title 'M = '.word(units, u)
    set xlabel 'patterns'
    set ylabel u % 2 ? 'seconds a learning step' : ''
    set xtics (4, 16, 64, 256, 1024, 4096, 16384)
    if (u == 2) { set key off }
    plot for [i in then_and_now] results.'/backprop.csv' \
        using 5:(strcol(1) eq 'patterns' && strcol(3) eq word(units, u) && \
                 strcol(7) eq word(who, int(i)) ? 1e-6 * $8 : NaN) \
        with linespoints lt int(i) title now(word(who, int(i)))
}
unset multiplot
