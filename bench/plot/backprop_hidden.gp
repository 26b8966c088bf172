# Time of a back-propagation step against hidden units.
set title 'Back-propagation, net 2-M-1, 1024 patterns - '.device
set logscale xy
set xlabel 'hidden units M'
set ylabel 'seconds a learning step'
set format y '10^{%T}'
set ytics enhanced
set xrange [3.5:1200]
set xtics (4, 8, 16, 32, 64, 128, 256, 512, 1024)
plot for [i in then_and_now] results.'/backprop.csv' \
    using 3:(strcol(1) eq 'hidden' && strcol(7) eq word(who, int(i)) ? 1e-6 * $8 : NaN) \
    with linespoints lt int(i) title now(word(who, int(i)))
