/* bench_layouts - packed against unpacked against tiled: every operation over a sweep of sizes, and
 * whole steps of back-propagation with the axes of the literature. */
#include "common/race.h"

static void sweep_operations(bench *b)
{
    contest c;
    contest_open(&c, b, "layouts");
    const int largest = bench_choose(b, 256, 1024, 4096);
    for (int i = 0; i < operation_count; ++i)
        for (int n = 16; n <= largest; n *= 4)
            contest_run(&c, &operations[i], (size){n, n, n}, NULL);
    contest_close(&c);
}

/* Nets 2-M-1: time per step against hidden units, and against patterns. */
static void sweep_nets(bench *b)
{
    static const int units[] = {4, 64, 256, 1024};
    race r;
    race_open(&r, b, "backprop");
    const int factor = b->full ? 2 : 4;
    race_begin(&r, "hidden");
    for (int hidden = 4; hidden <= 1024; hidden *= 2)
        race_run(&r, &(net_case){2, hidden, 1, 1024, false, 0}, NULL);
    for (size_t i = b->quick ? 3 : 0; i < 4; ++i) {
        race_begin(&r, "patterns");
        for (int patterns = 4; patterns <= 1 << 14; patterns *= factor)
            race_run(&r, &(net_case){2, units[i], 1, patterns, false, 0}, NULL);
    }
    race_close(&r);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_layouts", "Measures the layouts of matrices against each other.", argc,
               argv);
    sweep_operations(&b);
    sweep_nets(&b);
    return bench_close(&b);
}
