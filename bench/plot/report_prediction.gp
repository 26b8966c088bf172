# Speedup against processes, one panel for each network. The first block of a panel has the measured
# speedup, and each other block is a curve that begins with its title. `data` has the panels.
set terminal pngcairo size 1200, 460 font 'sans,11'
set multiplot layout 1, 3 margins 0.05, 0.985, 0.13, 0.92 spacing 0.045, 0.1
set logscale xy 2
set xrange [1:1024]
set yrange [0.25:1024]
set xtics 4
set ytics 4
set xlabel 'processes'
set grid xtics ytics lt 1 lc rgb '#d8d8d8'
set key left top Left reverse samplen 2.5 spacing 0.95 font ',10'
set linetype 11 lc rgb '#0060ad' lw 2
set linetype 12 lc rgb '#b08900' lw 2
set linetype 13 lc rgb '#7d4fa8' lw 2 dt (3, 3)
set linetype 14 lc rgb '#d1495b' lw 2
do for [i = 1:3] {
    panel = sprintf('%s/panel%d', data, i)
    set title system('head -1 '.panel.'.title') noenhanced
    if (i == 1) { set ylabel 'speedup' offset 1 } else { unset ylabel }
    stats panel using 0 nooutput
    plot x lc rgb '#aaaaaa' lw 1 dt 3 title 'ideal', \
        for [j = 1:STATS_blocks - 1] panel index j using 1:2 with lines lt 10 + j \
        title columnheader(1), \
        data.'/published' using 1:2 with points pt 5 ps 1.2 lc rgb '#d1495b' \
        title 'published, 4 and 16 GPUs', \
        panel index 0 using 1:2 with points pt 7 ps 1.3 lc rgb '#000000' title columnheader(1)
    set key off
}
unset multiplot
