# Percent of a convolution's limit, for each part and each run.
set style data histograms
set style histogram clustered gap 1
set yrange [0:*]
set ylabel 'percent of the limit'
set xtics enhanced font ',9' scale 0
set bmargin 5
set key outside top center horizontal
set arrow from graph 0, first 100 to graph 1, first 100 nohead dt 2 lc rgb '#888888'
columns = int(system("head -1 ".data." | grep -o '\"[^\"]*\"' | wc -l"))
plot for [i = 2:columns] data using i:xtic(1) lt i - 1 title columnheader(i)
