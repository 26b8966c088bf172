#include "distributed.h"

#include <glnn/context.h>
#include <glnn/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "failure.h"

struct distributed {
    glnn_mpi *mpi;
    int device;
    distributed_options options;
    glnn_exchange_plan plan;
};

/* A reached speedup below this part of the expected one deserves a hint. */
#define NOTEWORTHY_PART 0.7

/* A line about one process. */
typedef struct line {
    char text[320];
} line;

static line describe(const distributed *with)
{
    enum { MOST = 64 };
    glnn_device devices[MOST] = {{.size = sizeof devices[0]}};
    char host[128] = "";
    line own = {""};
    int count;
    CHECK(glnn_device_list(devices, MOST, &count));
    gethostname(host, sizeof host - 1);
    snprintf(own.text, sizeof own.text, "rank %-5d %s: device %d, %s", glnn_mpi_get_rank(with->mpi),
             host, with->device, with->device < MOST ? devices[with->device].renderer : "");
    return own;
}

static bool print_ranks(const distributed *with)
{
    const glnn_messenger *messenger = glnn_mpi_get_messenger(with->mpi);
    const line own = describe(with);
    line *all = calloc((size_t)messenger->ranks, sizeof *all);
    if (!all)
        return refuse("no memory for %d ranks", messenger->ranks);
    const glnn_status status = messenger->gather(messenger->user, &own, sizeof own, all);
    for (int r = 0; r < messenger->ranks && !status; ++r)
        printf("%s\n", all[r].text);
    free(all);
    return !status || refuse("%s", messenger->get_error(messenger->user));
}

bool distributed_start(const distributed_options *options, distributed **out)
{
    *out = NULL;
    if (!options->wanted)
        return true;
    distributed *with = calloc(1, sizeof *with);
    if (!with)
        return refuse("no memory");
    *out = with;
    with->options = *options;
    CHECK(glnn_mpi_create(NULL, &with->mpi));
    CHECK(glnn_mpi_get_device(with->mpi, &with->device));
    if (!distributed_is_first(with) && !freopen("/dev/null", "w", stdout))
        return refuse("standard output cannot be closed");
    return print_ranks(with);
}

int distributed_device(const distributed *with, int device)
{
    return with ? with->device : device;
}

glnn_exchange_desc distributed_exchange(distributed *with)
{
    if (!with)
        return (glnn_exchange_desc){0};
    with->plan.size = sizeof with->plan;
    return (glnn_exchange_desc){.messenger = glnn_mpi_get_messenger(with->mpi),
                                .kind = with->options.kind,
                                .every = with->options.every,
                                .plan = &with->plan};
}

bool distributed_is_first(const distributed *with)
{
    return !with || glnn_mpi_get_rank(with->mpi) == 0;
}

static void print_layers(const glnn_exchange_plan *plan)
{
    printf("%-16s  %9s  %-11s  %11s\n", "layer", "numbers", "exchange", "measured us");
    for (int i = 0; i < plan->layer_count; ++i) {
        const glnn_exchange_layer *layer = &plan->layers[i];
        char measured[16] = "-";
        if (layer->measured_seconds > 0)
            snprintf(measured, sizeof measured, "%.0f", 1e6 * layer->measured_seconds);
        printf("%2d %-13s  %9.0f  %-11s  %11s\n", layer->layer, layer->name, layer->numbers,
               glnn_exchange_kind_name(layer->kind), measured);
    }
}

void distributed_show(const distributed *with, const glnn_dataset *data,
                      const glnn_train_result *result)
{
    if (!with || result->train_seconds <= 0)
        return;
    const glnn_exchange_plan *plan = &with->plan;
    const double samples = (double)glnn_dataset_get_samples(data) * result->epochs;
    print_layers(plan);
    printf("%s\n", plan->sentence);
    printf("%d processes trained with %.0f samples/s together, with the first step\n",
           plan->processes, samples / result->train_seconds);
    char reached[32] = "-";
    if (plan->measured_speedup > 0)
        snprintf(reached, sizeof reached, "%.2f", plan->measured_speedup);
    if (plan->measured)
        printf("expected speedup %.2f, reached %s (one process alone: %.0f samples/s)\n",
               plan->expected_speedup, reached, plan->alone_samples_per_second);
    if (plan->measured && plan->measured_speedup < NOTEWORTHY_PART * plan->expected_speedup)
        printf("the machine was busy, or the training was too short to tell the speedup\n");
}

void distributed_end(distributed *with)
{
    if (!with)
        return;
    glnn_mpi_destroy(with->mpi);
    free(with);
}
