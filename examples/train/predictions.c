#include "predictions.h"

#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"
#include "stored.h"

/* Numbers that are read from files at a time, and the most outputs of classes that are taken only
 * because they may be measured. */
enum { READ_NUMBERS = 1 << 24, MEASURED_OUTPUTS = 1 << 24 };

/* Outputs that are probabilities of which one is true: those of a network by its softmax, and
 * posterior probabilities. */
static bool gives_probabilities(const glnn_learner *of)
{
    const glnn_network_desc *network = glnn_network_get_desc(of);
    const glnn_lvq_desc *lvq = glnn_lvq_get_desc(of);
    return (network && network->loss == GLNN_LOSS_CROSS_ENTROPY && network->output_count == 0) ||
           (lvq && lvq->kind == GLNN_LVQ_RSLVQ) || glnn_learner_get_kind(of) == GLNN_LEARNER_GMM;
}

/* The option that the settings have about the outputs of classes; NULL: none. */
static const char *option_of_classes(const settings *with)
{
    return with->probabilities   ? "probabilities"
           : with->scores        ? "scores"
           : with->threshold > 0 ? "threshold"
           : with->top_k > 0     ? "top-k"
           : with->class_weights ? "class-weights"
                                 : NULL;
}

static bool check_classes(const glnn_learner *of, const settings *with, int classes)
{
    const char *option = option_of_classes(with);
    const bool needs_probabilities = with->probabilities || with->threshold > 0;
    if (option == NULL)
        return true;
    if (glnn_learner_get_outputs(of) != classes)
        return refuse("--%s: the learner has %d outputs for %d classes", option,
                      glnn_learner_get_outputs(of), classes);
    if (needs_probabilities && !gives_probabilities(of))
        return refuse("--%s: the outputs of this learner, %s, are scores and not probabilities%s; "
                      "networks with the loss cross_entropy, rslvq and gmm have probabilities",
                      option, learner_name(learner_get_kind(of)),
                      with->probabilities ? ", and --scores writes them" : "");
    if (with->threshold > 0 && classes != 2)
        return refuse("--threshold %g: it is for 2 classes, but there are %d",
                      (double)with->threshold, classes);
    return with->top_k <= classes ||
           refuse("--top-k %d: there are only %d classes", with->top_k, classes);
}

void predictions_check(const glnn_learner *of, const settings *with, const samples *data)
{
    const samples_part *test = &data->test;
    const int targets = data->columns.targets;
    if (targets > 0)
        REQUIRE(option_of_classes(with) == NULL ||
                refuse("--%s: the model predicts targets, not classes", option_of_classes(with)));
    else
        REQUIRE(check_classes(of, with, data->classes.count));
    REQUIRE(with->predict == NULL || test->samples > 0 ||
            refuse("--predict %s: there are no test samples", with->predict));
    REQUIRE(with->metrics == NULL || test->labels || test->targets ||
            refuse("--metrics %s: %s", with->metrics,
                   test->samples == 0 ? "there are no test samples"
                   : targets > 0      ? "the test samples have no targets"
                                      : "the test samples have no labels"));
}

void *predictions_array(int count, int each, size_t size)
{
    void *array = malloc((size_t)count * (size_t)each * size);
    REQUIRE(array != NULL || refuse("no memory for the outputs of %d samples", count));
    return array;
}

static bool takes_outputs(const glnn_learner *of, const settings *with, const samples *data)
{
    const int classes = data->classes.count;
    const bool is_wanted = option_of_classes(with) || with->metrics;
    return data->columns.targets > 0 ||
           (glnn_learner_get_outputs(of) == classes &&
            (is_wanted || (int64_t)data->test.samples * classes <= MEASURED_OUTPUTS));
}

/* Stored samples are read a piece at a time, so they need not fit in memory. */
static void predict(glnn_learner *of, const samples *data, predictions *out)
{
    const samples_part *test = &data->test;
    const int each = data->features < READ_NUMBERS ? READ_NUMBERS / data->features : 1;
    const int most = each < test->samples ? each : test->samples;
    const int outputs = out->targets > 0 ? out->targets : out->classes;
    float *room = test->file ? predictions_array(most, data->features, sizeof *room) : NULL;
    for (int first = 0; first < test->samples; first += most) {
        const int count = test->samples - first < most ? test->samples - first : most;
        const float *inputs = part_range(test, first, count, room);
        REQUIRE(inputs != NULL);
        CHECK(glnn_learner_predict(
            of, count, inputs, out->outputs ? out->outputs + (size_t)first * (size_t)outputs : NULL,
            out->predicted ? out->predicted + first : NULL));
    }
    free(room);
}

void predictions_undo_scale(const glnn_learner *of, int count, float *targets)
{
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    if (kept && kept->target_scale.features > 0)
        CHECK(glnn_scale_undo(&kept->target_scale, count, kept->target_scale.features, targets));
}

/* A sample that is far away from all prototypes has no class. */
static bool check_predicted(const predictions *of)
{
    for (int i = 0; i < of->samples; ++i)
        if (of->predicted[i] < 0)
            return refuse("test sample %d is so far away from all others that it has no class", i);
    return true;
}

static void apply_threshold(float threshold, const predictions *out)
{
    for (int i = 0; i < out->samples; ++i)
        out->predicted[i] = out->outputs[2 * i + 1] >= threshold;
}

void predictions_make(glnn_learner *of, const settings *with, const samples *data, predictions *out)
{
    const int count = data->test.samples, targets = data->columns.targets;
    const bool has_outputs = takes_outputs(of, with, data);
    *out =
        (predictions){.samples = count,
                      .classes = targets > 0 ? 0 : data->classes.count,
                      .targets = targets,
                      .are_probabilities = targets == 0 && has_outputs && gives_probabilities(of)};
    if (has_outputs)
        out->outputs =
            predictions_array(count, targets > 0 ? targets : out->classes, sizeof *out->outputs);
    if (targets == 0)
        out->predicted = predictions_array(count, 1, sizeof *out->predicted);
    predict(of, data, out);
    if (targets > 0)
        predictions_undo_scale(of, count, out->outputs);
    else
        REQUIRE(check_predicted(out));
    if (with->threshold > 0)
        apply_threshold(with->threshold, out);
}

/* Whether class a comes before class b. */
static bool is_before(const float *outputs, int predicted, int a, int b)
{
    if (a == predicted || b == predicted)
        return a == predicted;
    return outputs[a] > outputs[b] || (outputs[a] == outputs[b] && a < b);
}

/* Inserts each class into those found so far. */
void predictions_rank(const predictions *of, int sample, int count, int *classes)
{
    const float *outputs = of->outputs + (size_t)sample * (size_t)of->classes;
    const int predicted = of->predicted[sample];
    int found = 0;
    for (int c = 0; c < of->classes; ++c) {
        int place = found;
        while (place > 0 && is_before(outputs, predicted, c, classes[place - 1]))
            --place;
        if (place == count)
            continue;
        found += found < count;
        for (int i = found - 1; i > place; --i)
            classes[i] = classes[i - 1];
        classes[place] = c;
    }
}

void predictions_free(predictions *of)
{
    free(of->predicted);
    free(of->outputs);
    *of = (predictions){0};
}
