/* bench_layouts - packed against unpacked against tiled: every operation over a sweep of sizes, and
 * training steps by the library and by the schemes of its predecessors. */
#include <math.h>

#include "common/race.h"

/* Longer steps are left out. The original scheme takes ten thousand passes and more for a batch. */
static const double longest_step = 30;

static void measure_operations(bench *b)
{
    contest c;
    contest_open(&c, b, "layouts");
    const int largest = bench_choose(b, 256, 1024, 4096);
    for (int i = 0; i < measurement_count; ++i)
        for (int n = 16; n <= largest; n *= 4)
            contest_run(&c, &measurements[i], (glnn__sizes){n, n, n}, NULL);
    contest_close(&c);
}

/* One pattern of the net that the original scheme was made for, and the net and the patterns that
 * the published times are of. */
static void measure_steps(bench *b)
{
    static const net_case cases[] = {{784, 256, 10, 1, false, 0}, {2, 64, 1, 1024, false, 0}};
    race r;
    b->longest = fmax(b->longest, longest_step);
    race_open(&r, b, "layouts_steps");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        race_begin(&r, "steps");
        race_run(&r, &cases[i], NULL);
    }
    race_close(&r);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_layouts", "Measures the layouts of matrices against each other.", argc,
               argv);
    measure_operations(&b);
    measure_steps(&b);
    return bench_close(&b);
}
