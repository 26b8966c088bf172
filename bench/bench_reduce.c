/* bench_reduce - reductions: bytes a second against the copy pass. */
#include "common/contest.h"

int main(int argc, char **argv)
{
    bench b;
    contest c;
    bench_open(&b, "bench_reduce", "Measures reductions.", argc, argv);
    contest_open(&c, &b, "reduce");
    const int largest = bench_choose(&b, 512, 2048, 8192);
    for (int i = 0; i < measurement_count; ++i) {
        if (measurement_operation(&measurements[i])->kind != GLNN__KIND_REDUCTION)
            continue;
        for (int n = 256; n <= largest; n *= 2)
            contest_run(&c, &measurements[i], (glnn__sizes){n, n, 0}, NULL);
        /* Few rows or few columns leave a device little to do side by side. */
        contest_run(&c, &measurements[i], (glnn__sizes){1024, 16, 0}, NULL);
        contest_run(&c, &measurements[i], (glnn__sizes){16, 1024, 0}, NULL);
        /* Scores of a batch for some thousand prototypes. */
        contest_run(&c, &measurements[i], (glnn__sizes){1024, 4096, 0}, NULL);
    }
    contest_close(&c);
    return bench_close(&b);
}
