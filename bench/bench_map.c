/* bench_map - element by element and moves: bytes a second against the copy pass. */
#include "common/contest.h"

static bool is_map(const measurement *what)
{
    const glnn__kind of = measurement_operation(what)->kind;
    return of == GLNN__KIND_MAP || of == GLNN__KIND_MOVE;
}

int main(int argc, char **argv)
{
    bench b;
    contest c;
    bench_open(&b, "bench_map", "Measures maps, arithmetic, moves and outer products.", argc, argv);
    contest_open(&c, &b, "map");
    const int largest = bench_choose(&b, 512, 2048, 8192);
    for (int i = 0; i < measurement_count; ++i)
        for (int n = 256; n <= largest && is_map(&measurements[i]); n *= 2)
            contest_run(&c, &measurements[i], (glnn__sizes){n, n, 0}, NULL);
    /* Little is read for what is written, so it belongs here and not among the other products. */
    for (int n = 256; n <= largest; n *= 2)
        contest_run(&c, measurement_get("outer"), (glnn__sizes){n, n, 1}, NULL);
    contest_close(&c);
    return bench_close(&b);
}
