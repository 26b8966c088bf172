# Images a second of each contestant.
set style data histograms
set style histogram clustered gap 1
set logscale y
set format y '10^{%T}'
set ytics enhanced
set ylabel 'images a second'
set xtics enhanced font ',9' scale 0
set bmargin 5
set key outside top center horizontal
columns = int(system("head -1 ".data." | grep -o '\"[^\"]*\"' | wc -l"))
plot for [i = 2:columns] data using i:xtic(1) lt i - 1 title columnheader(i)
