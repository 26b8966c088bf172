#include "model.h"

#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "learner.h"
#include "prepare.h"

static void read_codebook(const char *path, glnn_codebook *out, class_names *classes)
{
    CHECK(glnn_codebook_read(path, out));
    REQUIRE(out->labels != NULL || refuse("%s: its vectors have no labels", path));
    for (int i = 0; i < out->classes; ++i)
        REQUIRE(classes_add(classes, out->class_names[i]) == i);
}

static void check_features(const char *of, int features, const samples *data)
{
    REQUIRE(features == data->features ||
            refuse("%s is for samples of %d features, but these have %d", of, features,
                   data->features));
}

/* The library's sentences about a single class do not have its name. */
static void check_classes(const settings *with, const samples *data)
{
    const bool tells_apart =
        with->learner == LEARNER_NETWORK || with->learner == LEARNER_SVM || with->data.lda > 0;
    REQUIRE(!tells_apart || data->classes.count != 1 ||
            refuse("%s: the data set has samples of one class only, '%s'; %s needs at least 2 "
                   "classes",
                   data->from, data->classes.names[0],
                   with->data.lda > 0 ? "--lda" : learner_name(with->learner)));
}

glnn_learner *model_make(glnn_context *ctx, settings *with, samples *data)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    glnn_preparation preparation = {0};
    if (with->codebook_in)
        read_codebook(with->codebook_in, &codebook, &data->classes);
    with->data.from.gray = with->data.features == FEATURES_GRADIENT;
    data->stays = with->data.from.budget > 0 && with->data.pca == 0 && with->data.lda == 0 &&
                  !with->data.from.gray;
    REQUIRE(samples_load(&with->data.from, data));
    if (!data->silent)
        samples_show(data);
    const bool is_table = data->shape.width == 0;
    check_classes(with, data);
    if (!data->silent && (with->learner == LEARNER_NETWORK || with->learner == LEARNER_SVM))
        prepare_advise(&with->data, data);
    prepare_fit(ctx, &with->data, data, &preparation);
    settings_complete(with, with->learner, is_table);
    settings_choose_epochs(with, data->train.samples, is_table);
    if (with->codebook_in)
        check_features(with->codebook_in, codebook.features, data);
    glnn_learner *of = learner_create(ctx, with, data, with->codebook_in ? &codebook : NULL);
    CHECK(glnn_learner_set_preparation(of, &preparation));
    glnn_preparation_free(&preparation);
    glnn_codebook_free(&codebook);
    return of;
}

glnn_learner *model_load(glnn_context *ctx, settings *with, samples *data)
{
    glnn_learner *of = learner_load(ctx, with);
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    settings_complete(with, learner_get_kind(of), kept && kept->columns.count > 0);
    if (!with->needs_data)
        return of;
    prepare_expect(kept, glnn_learner_get_outputs(of), data);
    with->data.from.gray = kept && kept->gradients.width > 0;
    data->stays = with->data.from.budget > 0 && !with->data.from.gray;
    REQUIRE(samples_load(&with->data.from, data));
    if (!data->silent)
        samples_show(data);
    if (kept)
        prepare_apply(ctx, kept, data);
    check_features(with->load, glnn_learner_get_features(of), data);
    return of;
}
