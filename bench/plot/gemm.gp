# Speed of square matrix products.
set title 'Products of n x n matrices - '.device
set logscale xy
set xrange [14:9500]
set xlabel 'n'
set ylabel 'GFLOP/s'
set xtics (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
plot for [i = 1:words(who)] results.'/gemm.csv' \
    using 2:(strcol(1) eq 'gemm_nn' && $2 == $3 && $3 == $4 && strcol(5) eq word(who, i) ? \
             $10 : NaN) \
    with linespoints lt i title word(who, i)
