# Speed against size: products, and training against the batch.
set multiplot layout 1, 2 margins 0.07, 0.97, 0.3, 0.93 spacing 0.09, 0.1
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set key at screen 0.5, 0.02 center bottom horizontal maxrows 3
shown(n, us) = 2e-3 * n ** 3 / us
set title 'product of n x n matrices'
set xlabel 'n'
set ylabel 'GFLOP/s'
panel = data.'/left'
load 'bench/plot/report_curves.gp'
set key off
shown(n, us) = 1e6 * n / us
set title 'training of 784-256-10'
set xlabel 'samples a batch'
set ylabel 'samples a second'
panel = data.'/right'
load 'bench/plot/report_curves.gp'
unset multiplot
