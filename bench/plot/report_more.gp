# Percent that a step takes more, for each choice and each run.
set style data histograms
set style histogram clustered gap 1
set ylabel 'more time a step, percent'
set yrange [*<0:0<*]
set xtics enhanced font ',9' scale 0
set bmargin 4
set key outside top center horizontal
set arrow from graph 0, first 0 to graph 1, first 0 nohead lc rgb '#555555'
columns = int(system("head -1 ".data." | grep -o '\"[^\"]*\"' | wc -l"))
plot for [i = 2:columns] data using i:xtic(1) lt i - 1 title columnheader(i)
