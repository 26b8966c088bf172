#include "class_weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"
#include "settings_rows.h"

static void balance(const samples_part *train, int classes)
{
    int *counts = calloc((size_t)classes, sizeof *counts), present = 0;
    REQUIRE(counts != NULL || refuse("no memory for %d classes", classes));
    for (int i = 0; i < train->samples; ++i)
        present += counts[train->labels[i]]++ == 0;
    for (int c = 0; c < classes; ++c)
        if (counts[c] > 0)
            train->class_weights[c] = (float)((double)train->samples / present / counts[c]);
    free(counts);
}

/* Reads one weight. A weight of NAN says that the class was not named yet. */
static bool read_weight(char *text, const class_names *classes, float *weights)
{
    char *equals = strrchr(text, '='), *end;
    if (strcmp(text, "balanced") == 0 || strcmp(text, "none") == 0)
        return refuse("--class-weights: '%s' stands alone, because it gives the weights of all "
                      "classes",
                      text);
    if (equals == NULL)
        return refuse("--class-weights: '%s' is neither 'balanced' nor NAME=WEIGHT", text);
    *equals = '\0';
    const int class = classes_find(classes, text);
    const float weight = strtof(equals + 1, &end);
    if (class < 0)
        return refuse("--class-weights: there is no class '%s'; '%s' is one", text,
                      classes->names[0]);
    if (end == equals + 1 || *end != '\0' || !isfinite(weight) || weight < 0)
        return refuse("--class-weights: the weight '%s' of class '%s' is not a number from 0 on",
                      equals + 1, text);
    if (!isnan(weights[class]))
        return refuse("--class-weights: class '%s' is named twice", text);
    weights[class] = weight;
    return true;
}

static bool read_weights(const char *list, const class_names *classes, float *weights)
{
    char *copy = strdup(list), *rest = NULL;
    bool done = copy != NULL || refuse("no memory for the weights of classes");
    for (int c = 0; c < classes->count; ++c)
        weights[c] = NAN;
    for (char *text = done ? strtok_r(copy, ",", &rest) : NULL; done && text;
         text = strtok_r(NULL, ",", &rest))
        done = read_weight(text, classes, weights);
    for (int c = 0; c < classes->count; ++c)
        weights[c] = isnan(weights[c]) ? 1.0f : weights[c];
    free(copy);
    return done;
}

static void show(const class_names *classes, const float *weights, bool is_fold)
{
    enum { SHOWN = 10 };
    printf("weights   ");
    for (int c = 0; c < classes->count && c < SHOWN; ++c)
        printf("%s '%s' %.4g", c > 0 ? "," : "", classes->names[c], (double)weights[c]);
    if (classes->count > SHOWN)
        printf(" and %d more", classes->count - SHOWN);
    printf(is_fold ? ", in the training of the first fold\n" : "\n");
}

/* The steps of other optimizers do not grow with weights. That of a loaded network is not known. */
static bool steps_grow(const settings *with)
{
    const bool by_gradient =
        with->optimizer == GLNN_OPTIMIZER_SGD || with->optimizer == GLNN_OPTIMIZER_NESTEROV;
    return by_gradient && with->load == NULL && !with->given[RATE];
}

static void advise(const settings *with, int classes, const float *weights)
{
    static const float large = 10.0f;
    float most = 0.0f;
    for (int c = 0; c < classes; ++c)
        most = fmaxf(most, weights[c]);
    if (most > large && steps_grow(with))
        printf("note: a weight of %.4g makes steps of %s that much larger; --optimizer adam, or a "
               "lower --rate such as 0.01, trains more steadily\n",
               (double)most, glnn_optimizer_kind_name(with->optimizer));
}

bool class_weights_set(const settings *with, samples *data)
{
    const char *text = with->class_weights;
    const int classes = data->classes.count;
    float *weights = malloc((size_t)classes * sizeof *weights);
    data->train.class_weights = weights;
    if (weights == NULL)
        return refuse("no memory for the weights of %d classes", classes);
    if (!read_weights(strcmp(text, "balanced") == 0 ? "" : text, &data->classes, weights))
        return false;
    if (strcmp(text, "balanced") == 0)
        balance(&data->train, classes);
    if (!data->silent) {
        show(&data->classes, weights, data->folds > 0);
        advise(with, classes, weights);
    }
    return true;
}
