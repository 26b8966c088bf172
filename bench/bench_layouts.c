/* bench_layouts - packed against unpacked against tiled: every operation over a sweep of sizes. */
#include "common/contest.h"

int main(int argc, char **argv)
{
    bench b;
    contest c;
    bench_open(&b, "bench_layouts", "Measures the layouts of matrices against each other.", argc,
               argv);
    contest_open(&c, &b, "layouts");
    const int largest = bench_choose(&b, 256, 1024, 4096);
    for (int i = 0; i < measurement_count; ++i)
        for (int n = 16; n <= largest; n *= 4)
            contest_run(&c, &measurements[i], (size){n, n, n}, NULL);
    contest_close(&c);
    return bench_close(&b);
}
