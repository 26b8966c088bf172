/* bench_guest - short calls in a host's OpenGL context: each alone, and all in one pair of
 * glnn_context_begin and glnn_context_end, against the same calls in the library's own context. */
#include "common/harness.h"
#include "common/table.h"

enum { FILLS = 100, SIDE = 8, OUTPUTS = 2 };

typedef struct job {
    glnn_context *ctx;
    bool in_pair;
    glnn_matrix *outputs[OUTPUTS];
} job;

static const column columns[] = {
    {"calls", 26, true},    {"us_each", 10, false}, {"low_us", 10, false},
    {"high_us", 10, false}, {"ratio", 8, false},
};

static void fill(void *state, int turn)
{
    job *j = state;
    if (j->in_pair)
        CHECK(glnn_context_begin(j->ctx));
    for (int i = 0; i < FILLS; ++i)
        CHECK(glnn_fill(j->ctx, (float)turn, j->outputs[i % OUTPUTS]));
    if (j->in_pair)
        CHECK(glnn_context_end(j->ctx));
}

/* Returns the median time of 100 fills. The ratio is the one to `reference`; 0: to itself. */
static double measure(bench *b, table *t, const char *name, job j, double reference)
{
    for (int i = 0; i < OUTPUTS; ++i)
        CHECK(glnn_matrix_create(j.ctx, &(glnn_matrix_desc){.rows = SIDE, .columns = SIDE},
                                 &j.outputs[i]));
    const timing time = bench_time(b, j.ctx, fill, &j);
    for (int i = 0; i < OUTPUTS; ++i)
        glnn_matrix_destroy(j.outputs[i]);
    table_text(t, name);
    table_number(t, time.median / FILLS * 1e6);
    table_number(t, time.low / FILLS * 1e6);
    table_number(t, time.high / FILLS * 1e6);
    table_number(t, reference > 0 ? time.median / reference : 1);
    return time.median;
}

int main(int argc, char **argv)
{
    bench b;
    table t;
    glnn_context *guest;
    bench_open(&b, "bench_guest", "Measures 100 fills of 8 x 8 in a host's context.", argc, argv);
    table_open(&t, b.out, "guest", columns, sizeof columns / sizeof *columns);
    const double own = measure(&b, &t, "own context", (job){.ctx = b.ctx}, 0);
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &guest));
    measure(&b, &t, "adopted, 100 in a pair", (job){.ctx = guest, .in_pair = true}, own);
    measure(&b, &t, "adopted, each alone", (job){.ctx = guest}, own);
    glnn_context_destroy(guest);
    table_close(&t);
    return bench_close(&b);
}
