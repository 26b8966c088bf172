# Errors of GLVQ against epochs: serial C as lines, the device as points on them.
set title 'GLVQ on gradients of MNIST: serial C, and '.device
set xlabel 'epoch'
set ylabel 'samples of another class, %'
set xrange [0:*]
set yrange [0:*]
set key at screen 0.5, 0.01 center bottom vertical maxrows 3 samplen 2
set bmargin at screen 0.19
file = results.'/glvq_curves.csv'
only(who, value) = strcol(1) eq who ? value : NaN
batches = system("awk -F, '$1 ~ /^\"?device/ { gsub(/\"/, \"\", $1); print $1 }' ".file. \
    " | sort -u | cut -d' ' -f2 | sort -n | tr '\\n' ' '")
name(b) = 'device '.b
mark(b) = b eq '1' ? 7 : 4
plot file using 2:(only('serial C', $4)) with lines lc rgb '#f0b0b8' lw 4 dt 1 \
        title 'test, serial C', \
    for [b in batches] file using 2:(only(name(b), $4)) with points lc rgb '#d1495b' \
        pt mark(b) ps 0.8 title 'test, device, batch '.b, \
    file using 2:(only('serial C', $3)) with lines lc rgb '#a8c8e4' lw 4 dt 1 \
        title 'training, serial C', \
    for [b in batches] file using 2:(only(name(b), $3)) with points lc rgb '#0060ad' \
        pt mark(b) ps 0.8 title 'training, device, batch '.b
