# Packed against unpacked: the published scheme and today's step, net 2-64-1.
set multiplot title 'Packed against unpacked, then and now: a learning step of the net 2-64-1 - '.\
    device noenhanced

# Left: time against patterns, with the two published times.
set lmargin at screen 0.08
set rmargin at screen 0.57
set tmargin at screen 0.86
set bmargin at screen 0.13
set logscale xy
set format y '10^{%T}'
set ytics enhanced
set title 'time of a step'
set xlabel 'patterns'
set ylabel 'seconds a learning step'
set xrange [3:22000]
set xtics (4, 16, 64, 256, 1024, 4096, 16384)
set yrange [1e-5:100]
set key inside left top Left reverse samplen 3
$published << END
1024,0.026
1024,0.008
END
plot for [i in '12 11 3 2 1'] results.'/backprop.csv' \
    using 5:(strcol(1) eq 'patterns' && $3 == 64 && strcol(7) eq word(who, int(i)) ? \
             1e-6 * $8 : NaN) \
    with linespoints lt int(i) title now(word(who, int(i))), \
    $published using 1:2 with points pt 3 ps 2 lw 2 lc rgb 'black' \
    title 'published, GeForce 7800 GTX'

# Right: what packing gains with 1024 patterns, median and quartiles of rounds in turn.
set lmargin at screen 0.65
set rmargin at screen 0.99
unset logscale
unset key
unset xlabel
set title 'times as fast packed, 1024 patterns'
set ylabel 'time unpacked / time packed'
set format y '%g'
set xrange [-0.6:3.6]
set yrange [0:*]
set xtics ("published on\n7800 GTX" 0, "published\nscheme here" 1, "the same,\nblended" 2, \
    "today's\nstep" 3) scale 0 font ',10'
set style fill solid 0.9 noborder
set boxwidth 0.6
place(scheme) = scheme eq 'published' ? 1 : scheme eq 'blended' ? 2 : scheme eq 'library' ? 3 : NaN
plot '+' using (0):(3.25) every ::0::0 with boxes lc rgb '#555555', \
    '+' using (0):(3.25 + 0.02):('3.25') every ::0::0 with labels offset 0, 0.8, \
    results.'/packing.csv' using (place(strcol(1))):4 with boxes lc rgb '#0060ad', \
    '' using (place(strcol(1))):4:5:6 with errorbars lc rgb '#222222' pt 7 ps 0.4 lw 1.5 dt solid, \
    '' using (place(strcol(1))):6:(sprintf('%.2f', $4)) with labels offset 0, 0.8
unset multiplot
