# GLVQ as it was published: the times of distances and of minima, both by tiles and by reduction,
# and the speed, all against the samples of a batch.
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set xrange [0.7:12000]
set xtics (1, 4, 16, 64, 256, 1024, 4096)
set xlabel 'samples a batch'
set multiplot layout 2, 2 margins 0.09, 0.98, 0.1, 0.9 spacing 0.11, 0.15 \
    title 'GLVQ, 160 features - '.device noenhanced
csv = results.'/lvq.csv'
do for [prototypes in '1 8'] {
    set title 'prototypes of each class: '.prototypes
    set key inside left top
    set ylabel 'microseconds of a batch'
    set yrange [3:1e6]
    plot csv using 2:(strcol(1) eq prototypes && strcol(3) eq 'auto' ? $15 : NaN) \
             with linespoints lt 1 title 'distances by tiles', \
         csv using 2:(strcol(1) eq prototypes && strcol(3) eq 'auto' ? $16 : NaN) \
             with linespoints lt 4 title 'distances by reduction', \
         csv using 2:(strcol(1) eq prototypes && strcol(3) eq 'tiles' ? $11 : NaN) \
             with linespoints lt 2 title 'minima by tiles', \
         csv using 2:(strcol(1) eq prototypes && strcol(3) eq 'reduction' ? $11 : NaN) \
             with linespoints lt 3 title 'minima by reduction'
    set ylabel 'samples a second'
    set yrange [100:1e8]
    serial = system("awk -F, '$1 == ".prototypes." && $2 == 1 && $3 == \"C\" { print $7 }' ".csv)
    plot csv using 2:(strcol(1) eq prototypes && strcol(3) eq 'auto' ? $7 : NaN) \
             with linespoints lt 1 title 'device, AUTO', \
         real(serial) with lines lt 6 title 'serial C'
}
unset multiplot
