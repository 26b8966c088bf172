# Samples a second in training, with plain descent.
set logscale xy
set key off
set multiplot layout 1, 2 title 'Training with plain descent - '.device
hidden = '256 800'
do for [h = 1:2] {
    set title '784-'.word(hidden, h).'-10'
    set xlabel 'samples a batch'
    set ylabel 'samples a second'
    set xtics (1, 128, 1024)
    set xrange [0.7:1500]
    if (h == 1) {
        set key inside left top Left reverse font ',9'
    } else {
        set key off
    }
    plot for [i = 1:words(who)] results.'/mlp.csv' \
        using 5:(strcol(3) eq word(hidden, h) && $6 == 0 && strcol(7) eq word(who, i) ? \
                 $11 : NaN) \
        with linespoints lt i title word(who, i)
}
unset multiplot
