# How many times as fast packing makes a step, with quartiles.
set yrange [0:*]
set xrange [-0.6:*]
set ylabel 'time unpacked / time packed'
set xtics enhanced font ',9' scale 0
set bmargin 5
set boxwidth 0.6
set tmargin 3
set key off
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb '#888888'
plot data using 0:2:xtic(1) every ::1 with boxes lt 1, \
    '' using 0:2:3:4 every ::1 with errorbars lc rgb '#222222' pt 7 ps 0.4 lw 1.5, \
    '' using 0:4:(sprintf('%.2f', $2)) every ::1 with labels offset 0, 0.8
