/* scale_model - predicts training by 1 to 1024 processes from the figures of bench_scaling. It uses
 * neither OpenGL nor other processes. */
#include <math.h>
#include <stdlib.h>

#include "common/failure.h"
#include "common/folder.h"
#include "common/options.h"
#include "common/scaling_figures.h"
#include "common/table.h"

typedef struct settings {
    const char *figures, *out;
    int processes, per_host, every;
    float network, latency, link, sum, readback; /* latency in us, the others in GB/s */
} settings;

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"figures", OPTION_TEXT, FIELD(figures), "FILE", "build/bench/scaling_figures.csv",
     "measurements of bench_scaling"},
    {"processes", OPTION_INTEGER, FIELD(processes), "N", "1024", "most processes", .low = 1,
     .high = 65536},
    {"per-host", OPTION_INTEGER, FIELD(per_host), "N", "8",
     "devices of a host; more processes exchange numbers through the network", .low = 1,
     .high = 65536},
    {"network", OPTION_NUMBER, FIELD(network), "GB/S", "12.5",
     "speed from one host to another: 12.5 is 100 Gbit/s", .high = 1e6, .above = true},
    {"latency", OPTION_NUMBER, FIELD(latency), "US", "5", "latency of the network", .high = 1e9},
    {"link", OPTION_NUMBER, FIELD(link), "GB/S", "0", "speed within a host; 0: as measured",
     .high = 1e6},
    {"sum", OPTION_NUMBER, FIELD(sum), "GB/S", "0",
     "speed of sums through the shared memory of a host; 0: processes of a host send messages",
     .high = 1e6},
    {"readback", OPTION_NUMBER, FIELD(readback), "GB/S", "0",
     "speed of readbacks and uploads; 0: as measured", .high = 1e6},
    {"every", OPTION_INTEGER, FIELD(every), "N", "16", "steps between two means of parameters",
     .low = 1, .high = 1 << 20},
    {"out", OPTION_TEXT, FIELD(out), "DIR", "build/bench", "folder that the CSV file goes to"},
};

/* The exchanges that are predicted. */
static const struct {
    const char *name;
    glnn_exchange_kind kind;
    cost_order order;
} exchanges[] = {
    {"gradients allreduce", .kind = GLNN_EXCHANGE_GRADIENTS},
    {"gradients tree", .kind = GLNN_EXCHANGE_GRADIENTS, .order = COST_TREE},
    {"activations", .kind = GLNN_EXCHANGE_ACTIVATIONS},
    {"averages", .kind = GLNN_EXCHANGE_AVERAGES},
};
enum { EXCHANGES = sizeof exchanges / sizeof exchanges[0] };

static const column columns[] = {
    {"net", 30, true},     {"batch", 6, false},           {"exchange", 20, true},
    {"ranks", 6, false},   {"step_us", 11, false},        {"images_per_s", 13, false},
    {"speedup", 8, false}, {"hidden_percent", 14, false},
};

static cost_speeds speeds_of(const settings *s, const scaling_figures *figures, int ranks)
{
    cost_speeds speeds = figures->speeds;
    if (s->link > 0)
        speeds.link = 1e9 * (double)s->link;
    if (s->sum > 0 && ranks <= s->per_host) {
        speeds.link = 1e9 * (double)s->sum;
        speeds.add = INFINITY;
    }
    if (s->readback > 0)
        speeds.readback = speeds.upload = 1e9 * (double)s->readback;
    if (ranks > s->per_host) {
        speeds.link = fmin(speeds.link, 1e9 * (double)s->network);
        speeds.latency = fmax(speeds.latency, 1e-6 * (double)s->latency);
    }
    return speeds;
}

static void predict_row(table *t, const settings *s, const scaling_figures *figures, int net,
                        int batch, int exchange, int ranks)
{
    cost_layer layers[SCALING_LAYERS];
    const cost_plan plan = {
        .speeds = speeds_of(s, figures, ranks),
        .ranks = ranks,
        .samples = scaling_batches[batch],
        .kind = exchanges[exchange].kind,
        .order = exchanges[exchange].order,
        .every = s->every,
        .layers = layers,
        .layer_count = scaling_net_layers(&scaling_nets[net], figures->steps[net][batch], layers),
    };
    const cost_step step = cost_predict(&plan);
    table_text(t, scaling_nets[net].name);
    table_number(t, plan.samples);
    table_text(t, exchanges[exchange].name);
    table_number(t, ranks);
    table_number(t, 1e6 * step.seconds);
    table_number(t, plan.samples * ranks / step.seconds);
    table_number(t, step.speedup);
    table_number(t, 100 * step.hidden);
}

static void predict(const settings *s, const scaling_figures *figures)
{
    table t;
    table_open(&t, s->out, "scale_model", columns, sizeof columns / sizeof columns[0]);
    for (int net = 0; net < SCALING_NETS; ++net)
        for (int batch = 0; batch < SCALING_BATCHES; ++batch)
            for (int exchange = 0; exchange < EXCHANGES && figures->steps[net][batch] > 0;
                 ++exchange)
                for (int ranks = 1; ranks <= s->processes; ranks *= 2)
                    predict_row(&t, s, figures, net, batch, exchange, ranks);
    table_close(&t);
}

int main(int argc, char **argv)
{
    settings s;
    scaling_figures figures = {0};
    const option_table options = {
        .program = "scale_model",
        .summary = "Predicts training by several processes from the figures of bench_scaling.",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof s};
    options_read(&options, argc, argv, &s);
    REQUIRE(folder_create(s.out) && scaling_figures_read(&figures, s.figures));
    predict(&s, &figures);
    return EXIT_SUCCESS;
}
