/* bench_limits - what the device can do at most: arithmetic, fetches, copies, passes, transfers. */
#include <stdio.h>

#include "common/limits.h"
#include "common/table.h"

static table results;

static void row(const char *what, double value, const char *unit)
{
    table_text(&results, what);
    table_number(&results, value);
    table_text(&results, unit);
}

static void copy_row(const limits *l, glnn_layout layout)
{
    char what[64];
    snprintf(what, sizeof what, "copy pass, %s", glnn_layout_name(layout));
    row(what, 1e-9 * l->copy[layout], "GB/s");
}

static void product_row(const limits *l, glnn_layout layout, glnn_storage storage)
{
    char what[64];
    snprintf(what, sizeof what, "fetch limit of products, %s%s", glnn_layout_name(layout),
             storage == GLNN_STORAGE_FLOAT16 ? " float16" : "");
    row(what, 1e-9 * limits_product(l, layout, storage), "GFLOP/s");
}

/* The device profile, by which the library plans; see glnn/advice.h. */
static void figure_rows(const bench *b)
{
    glnn_profile f = {.size = sizeof f};
    CHECK(glnn_context_get_profile(b->ctx, &f));
    row("profile: multiply-add", f.peak_gflops, "GFLOP/s");
    row("profile: texelFetch RGBA32F", f.fetch_gtexels, "Gtexel/s");
    row("profile: product, tiled", f.gemm_gflops, "GFLOP/s");
    row("profile: fragments that fill it", f.fragments_to_fill, "fragments");
    row("profile: copy", f.copy_gb, "GB/s");
    row("profile: copy by images", f.image_copy_gb, "GB/s");
    row("profile: blending", f.blend_gb, "GB/s");
    row("profile: dependent pass", f.pass_us, "us");
    row("profile: dependent pass by images", f.image_pass_us, "us");
    row("profile: product in C", f.cpu_gflops, "GFLOP/s");
    row("profile: copy in C", f.cpu_gb, "GB/s");
}

int main(int argc, char **argv)
{
    static const column columns[] = {{"limit", 38, true}, {"value", 10, false}, {"unit", 10, true}};
    bench b;
    limits l;
    bench_open(&b, "bench_limits", "Measures what the device can do at most.", argc, argv);
    limits_measure(&b, &l);
    table_open(&results, b.out, "limits", columns, 3);
    row(probe_name(PROBE_MULTIPLY_ADD), 2e-9 * l.rates[PROBE_MULTIPLY_ADD], "GFLOP/s");
    for (int kind = PROBE_MULTIPLY_ADD + 1; kind < PROBE_COUNT; ++kind)
        row(probe_name((probe_kind)kind), 1e-9 * l.rates[kind], "Gtexel/s");
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout)
        product_row(&l, (glnn_layout)layout, GLNN_STORAGE_FLOAT32);
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_UNPACKED; ++layout)
        product_row(&l, (glnn_layout)layout, GLNN_STORAGE_FLOAT16);
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout)
        copy_row(&l, (glnn_layout)layout);
    row("tiny dependent pass", 1e6 * l.pass_seconds, "us");
    row("of which giving the orders", 1e6 * l.submit_seconds, "us");
    row("upload", 1e-9 * l.upload, "GB/s");
    row("download", 1e-9 * l.download, "GB/s");
    row("download, the next one under way", 1e-9 * l.download_ahead, "GB/s");
    figure_rows(&b);
    table_close(&results);
    return bench_close(&b);
}
