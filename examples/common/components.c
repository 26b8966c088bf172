#include "components.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "failure.h"

glnn_projection *components_fit(glnn_context *ctx, const lvq_settings *with, const samples *data)
{
    const mnist_part *train = &data->train;
    glnn_projection *out = NULL;
    if (with->pca > 0)
        CHECK(glnn_pca_fit(ctx, &(glnn_pca_desc){.components = with->pca, .whiten = with->whiten},
                           train->samples, data->features, train->inputs, &out));
    if (with->lda > 0)
        CHECK(glnn_lda_fit(ctx, &(glnn_lda_desc){.components = with->lda, .whiten = with->whiten},
                           train->samples, data->features, train->inputs, train->labels,
                           data->classes.count, &out));
    return out;
}

static void project(const glnn_projection *projection, mnist_part *part)
{
    const size_t components = (size_t)glnn_projection_components(projection);
    if (part->samples == 0)
        return;
    float *outputs = malloc((size_t)part->samples * components * sizeof *outputs);
    REQUIRE(outputs != NULL || refuse("no memory for %d samples", part->samples));
    CHECK(glnn_projection_apply(projection, part->samples, part->inputs, outputs));
    free(part->inputs);
    part->inputs = outputs;
}

void components_apply(const glnn_projection *projection, samples *data)
{
    const int features = glnn_projection_features(projection);
    REQUIRE(features == data->features ||
            refuse("the samples have %d features, but the projection is for %d", data->features,
                   features));
    project(projection, &data->train);
    project(projection, &data->test);
    data->features = glnn_projection_components(projection);
    data->width = data->height = 0;
    printf("projection %d features to %d components\n", features, data->features);
}
