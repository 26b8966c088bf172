# The style of all charts. The caller sets `results`, `format` and `out`.
set datafile separator ','
set datafile missing NaN # so that lines go from one row of a contestant to the next
device = system("awk -F, '/^renderer/ { sub(/^renderer,/, \"\"); gsub(/\"/, \"\"); print }' ". \
    results."/machine.csv")
if (format eq 'png') {
    set terminal pngcairo size 1000, 700 font 'sans,11'
} else {
    set terminal svg size 1000, 700 font 'sans,11' background 'white'
}
set output out
set grid xtics ytics lt 1 lc rgb '#d8d8d8'
set border 3
set tics nomirror noenhanced
set title noenhanced
set key outside right top Left reverse

# One colour and mark a contestant, the same in all charts.
who = "'tiled' 'packed' 'unpacked' 'blended packed' 'blended unpacked' 'C' 'OpenBLAS 1' ". \
    "'OpenBLAS all' 'tiled float16' 'packed float16' 'published packed' 'published unpacked'"
set linetype 1 lc rgb '#0060ad' lw 2 pt 7
set linetype 2 lc rgb '#2a9d3a' lw 2 pt 5
set linetype 3 lc rgb '#d1495b' lw 2 pt 9
set linetype 4 lc rgb '#2a9d3a' lw 1.5 pt 4 dt 2
set linetype 5 lc rgb '#d1495b' lw 1.5 pt 8 dt 2
set linetype 6 lc rgb '#555555' lw 2 pt 2
set linetype 7 lc rgb '#b08900' lw 2 pt 1
set linetype 8 lc rgb '#7d4fa8' lw 2 pt 3
set linetype 9 lc rgb '#5aa7e0' lw 1.5 pt 6 dt 4
set linetype 10 lc rgb '#7fcf8a' lw 1.5 pt 12 dt 4
set linetype 11 lc rgb '#2a9d3a' lw 2 pt 4 dt (8, 4)
set linetype 12 lc rgb '#d1495b' lw 2 pt 8 dt (8, 4)

# The published scheme and today's step, packed and unpacked, and the CPU.
then_and_now = '12 11 3 2 1 6 8'
now(name) = name[1:6] eq 'tiled' || name[1:6] eq 'packed' || name[1:8] eq 'unpacked' ? \
    'today, '.name : name
