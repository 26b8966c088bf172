#include "common/glvq_stream.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "common/table.h"

/* Epochs, of which the fastest counts: a whole epoch steadies its own time. */
enum { EPOCHS = 2 };

static const column columns[] = {
    {"prototypes", 10, false},
    {"samples", 8, false},
    {"mib", 7, false},
    {"window_mib", 10, false},
    {"who", 8, true},
    {"epoch_s", 9, false},
    {"samples_per_s", 13, false},
    {"percent_of_resident", 19, false},
};

static double train_epochs(const glvq_device *d)
{
    double best = INFINITY;
    for (int i = 0; i < EPOCHS; ++i) {
        const double start = glnn__clock_seconds();
        glvq_device_train(d);
        best = fmin(best, glnn__clock_seconds() - start);
    }
    return best;
}

/* One step of the first batch, which also makes the programs. */
static void judge_step(bench *b, const glvq_case *of, const glvq_data *data, float *got)
{
    glvq_reference reference = glvq_reference_new(of, data);
    glvq_device d = glvq_device_new(b->ctx, of, data, of->batch, (glvq_choices){0});
    glvq_device_train(&d);
    glvq_device_take(&d, of, got);
    const double worst = glvq_judge(&reference, got);
    if (!(worst <= 1))
        bench_wrong(b, "a step of GLVQ: an error of %.3g times its bound", worst);
    glvq_device_free(&d);
    glvq_reference_free(&reference);
}

static double run(bench *b, const glvq_case *of, const glvq_data *data, size_t window, float *got)
{
    glvq_device d =
        glvq_device_new(b->ctx, of, data, data->samples, (glvq_choices){.texture_budget = window});
    if (window > 0 && !glnn_dataset_is_streamed(d.data))
        fprintf(stderr, "the samples fit in the window: nothing streams\n");
    const double seconds = train_epochs(&d);
    glvq_device_take(&d, of, got);
    glvq_device_free(&d);
    return seconds;
}

static void write_row(table *t, const glvq_case *of, int samples, size_t window, double seconds,
                      double resident)
{
    table_number(t, glvq_count(of));
    table_number(t, samples);
    table_number(t, 0x1p-20 * sizeof(float) * samples * of->features);
    table_number(t, window > 0 ? 0x1p-20 * (double)window : NAN);
    table_text(t, window > 0 ? "stream" : "resident");
    table_number(t, seconds);
    table_number(t, samples / seconds);
    table_number(t, 100 * resident / seconds);
}

void glvq_stream(bench *b, const glvq_case *of, int samples, size_t window)
{
    table t;
    const size_t size = (size_t)glvq_count(of) * (size_t)of->features * sizeof(float);
    float *resident = allocate(1, size), *streamed = allocate(1, size);
    glvq_data data = glvq_data_new(of, samples);
    table_open(&t, b->out, "lvq_stream", columns, sizeof columns / sizeof columns[0]);
    judge_step(b, of, &data, resident);
    const double seconds = run(b, of, &data, 0, resident);
    write_row(&t, of, samples, 0, seconds, seconds);
    write_row(&t, of, samples, window, run(b, of, &data, window, streamed), seconds);
    if (memcmp(resident, streamed, size) != 0)
        bench_wrong(b, "prototypes trained on a stream are not those trained on the same samples "
                       "resident");
    table_close(&t);
    glvq_data_free(&data);
    free(resident);
    free(streamed);
}
