# Samples a second in training, with plain descent.
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set key at screen 0.5, 0.02 center bottom horizontal maxcols 4
set multiplot layout 1, 2 margins 0.09, 0.98, 0.16, 0.89 spacing 0.1, 0.1 \
    title 'Training with plain descent - '.device noenhanced
hidden = '256 800'
do for [h = 1:2] {
    set title '784-'.word(hidden, h).'-10'
    set xlabel 'samples a batch'
    set ylabel 'samples a second'
    set xtics (1, 128, 1024)
    set xrange [0.7:1500]
    if (h == 2) { set key off }
    plot for [i in '1 2 3 6 7 8 9 10'] results.'/mlp.csv' \
        using 5:(strcol(3) eq word(hidden, h) && $6 == 0 && strcol(7) eq word(who, int(i)) ? \
                 $11 : NaN) \
        with linespoints lt int(i) title word(who, int(i))
}
unset multiplot
