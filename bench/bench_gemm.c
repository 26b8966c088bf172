/* bench_gemm - matrix products: square ones, and the shapes of training. */
#include "common/contest.h"

/* The products of a step of 784-256-10 and 784-800-10 with 128 samples, and of one sample. */
static const struct {
    const char *operation;
    glnn__sizes size;
} shapes[] = {
    {"gemm_nn", {128, 256, 784}},  {"gemm_nn", {128, 10, 256}}, {"gemm_nt", {128, 256, 10}},
    {"gemm_tn", {784, 256, 128}},  {"gemm_tn", {256, 10, 128}}, {"gemm_nn", {128, 800, 784}},
    {"gemm_tn", {784, 800, 128}},  {"gemm_nn", {1, 256, 784}},  {"gemm_nn", {1024, 256, 784}},
    {"gemm_tn", {784, 256, 1024}},
};

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"gemm_nn", "gemm_nt", "gemm_tn"};
    bench b;
    contest c;
    bench_open(&b, "bench_gemm", "Measures matrix products.", argc, argv);
    contest_open(&c, &b, "gemm");
    const int largest = bench_choose(&b, 256, 2048, 8192);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        for (int n = 16; n <= (i == 0 || b.full ? largest : largest / 2); n *= 2)
            contest_run(&c, measurement_get(kinds[i]), (glnn__sizes){n, n, n}, NULL);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        c.latest = NULL; /* shapes so different do not foretell each other's time */
        contest_run(&c, measurement_get(shapes[i].operation), shapes[i].size, NULL);
    }
    contest_close(&c);
    return bench_close(&b);
}
