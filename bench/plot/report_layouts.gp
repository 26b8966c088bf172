# Speed of products in each layout, a panel for each run.
labels = system("cat ".data."/labels")
set multiplot layout 1, words(labels) margins 0.07, 0.98, 0.28, 0.92 spacing 0.06, 0.1
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set xrange [14:2300]
set yrange [1:100000]
set xtics (16, 64, 256, 1024)
set key at screen 0.5, 0.03 center bottom horizontal maxrows 1
set linetype 1 lc rgb '#0060ad' lw 2 pt 7
set linetype 2 lc rgb '#2a9d3a' lw 2 pt 5
set linetype 3 lc rgb '#d1495b' lw 2 pt 9
set linetype 4 lc rgb '#7d4fa8' lw 2 pt 3
shown(n, us) = 2e-3 * n ** 3 / us
do for [p = 1:words(labels)] {
    set title word(labels, p)
    set xlabel 'n'
    set ylabel p == 1 ? 'product of n x n matrices, GFLOP/s' : ''
    panel = data.'/panel'.p
    load 'bench/plot/report_curves.gp'
    set key off
}
unset multiplot
