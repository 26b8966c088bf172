# Each operation at a size that all layouts are measured at, relative to unpacked.
set title 'Operations on 256 x 256 elements - '.device
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 border -1
set logscale y
set ylabel 'times as fast as unpacked'
set xtics rotate by -40
of(layout) = "< awk -F, '$2 == 256 && $5 == \"unpacked\" { base[$1] = $6 } ".\
             "$2 == 256 && $5 == \"".layout."\" { time[$1] = $6; names[++n] = $1 } ".\
             "END { for (i = 1; i <= n; ++i) if (base[names[i]]) ".\
             "print names[i] \",\" base[names[i]] / time[names[i]] }' ".results."/layouts.csv"
plot of('tiled') using 2:xtic(1) lt 1 title 'tiled', \
     of('packed') using 2 lt 2 title 'packed'
