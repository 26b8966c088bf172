# A panel of curves: blocks of `panel` that begin with their titles.
stats panel using 0 nooutput
plot for [i = 0:STATS_blocks - 1] panel index i using 1:(shown(column(1), column(2))) \
    with linespoints lt i + 1 title columnheader(1)
