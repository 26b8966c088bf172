# The settings that the charts of docs/performance.md share. The caller sets `data` and `out`.
set terminal pngcairo size 1100, 560 font 'sans,11'
set output out
set border 3 lc rgb '#555555'
set tics nomirror noenhanced
set grid ytics lt 1 lc rgb '#d8d8d8'
set key noenhanced
set linetype 1 lc rgb '#0060ad' lw 2 pt 7
set linetype 2 lc rgb '#5aa7e0' lw 2 pt 5
set linetype 3 lc rgb '#2a9d3a' lw 2 pt 9
set linetype 4 lc rgb '#555555' lw 2 pt 2
set linetype 5 lc rgb '#b08900' lw 2 pt 1
set linetype 6 lc rgb '#7d4fa8' lw 2 pt 3
set linetype 7 lc rgb '#d1495b' lw 2 pt 4
set style fill solid 0.9 noborder
