# Time against size: products, and training steps against hidden units.
set multiplot layout 1, 2 margins 0.07, 0.97, 0.3, 0.93 spacing 0.09, 0.1
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set key at screen 0.5, 0.02 center bottom horizontal maxrows 3
shown(n, us) = us
set title 'product of n x n matrices'
set xlabel 'n'
set ylabel 'us'
panel = data.'/left'
load 'bench/plot/report_curves.gp'
set key off
set title 'training step of 784-n-10, batch 128'
panel = data.'/right'
load 'bench/plot/report_curves.gp'
unset multiplot
