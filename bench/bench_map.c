/* bench_map - element by element and moves: bytes a second against the copy pass. */
#include "common/contest.h"

int main(int argc, char **argv)
{
    bench b;
    contest c;
    bench_open(&b, "bench_map", "Measures maps, arithmetic and moves.", argc, argv);
    contest_open(&c, &b, "map");
    const int largest = bench_choose(&b, 512, 2048, 8192);
    for (int i = 0; i < operation_count; ++i)
        for (int n = 256; n <= largest; n *= 2)
            if (operations[i].family == FAMILY_MAP || operations[i].family == FAMILY_MOVE)
                contest_run(&c, &operations[i], (size){n, n, 0}, NULL);
    contest_close(&c);
    return bench_close(&b);
}
