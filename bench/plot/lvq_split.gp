# The parts of the time of a step of GLVQ, for some sizes of a batch.
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 border -1
set boxwidth 0.75
set yrange [0:100]
set key at screen 0.5, 0.02 center bottom horizontal maxcols 3
set multiplot layout 2, 2 margins 0.08, 0.98, 0.16, 0.9 spacing 0.1, 0.2 \
    title 'GLVQ, one prototype a class: parts of a step - '.device noenhanced
do for [batch in '1 16 256 2048'] {
    set title 'batch of '.batch
    set ylabel 'percent of the time'
    set xtics rotate by -30 scale 0
    of = "< awk -F, '$1 == 1 && $2 == ".batch." { sum = $10 + $11 + $12; ".\
         "print $3 \",\" 100 * $10 / sum \",\" 100 * $11 / sum \",\" 100 * $12 / sum }' ".\
         results."/lvq.csv"
    if (batch ne '1') { set key off }
    if (system("awk -F, '$1 == 1 && $2 == ".batch."' ".results."/lvq.csv") eq '') { continue }
    plot of using 2:xtic(1) lt 1 title 'distances', of using 3 lt 2 title 'minima', \
         of using 4 lt 3 title 'update'
}
unset multiplot
