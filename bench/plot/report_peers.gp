# Speed of each contestant relative to the library's fragment stage.
set style data histograms
set style histogram clustered gap 1
set logscale y
set yrange [0.02:*]
set ylabel 'times as fast as libglnn, fragment stage'
set xtics enhanced font ',9' scale 0
set bmargin 5
set key outside top center horizontal
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb '#888888'
plot for [i = 3:7] data using i:xtic(1) lt i - 1 title columnheader(i)
