#include "class_weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

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

bool class_weights_set(const char *text, samples *data)
{
    const int classes = data->classes.count;
    float *weights = malloc((size_t)classes * sizeof *weights);
    data->train.class_weights = weights;
    if (weights == NULL)
        return refuse("no memory for the weights of %d classes", classes);
    if (!read_weights(strcmp(text, "balanced") == 0 ? "" : text, &data->classes, weights))
        return false;
    if (strcmp(text, "balanced") == 0)
        balance(&data->train, classes);
    if (!data->silent)
        show(&data->classes, weights, data->folds > 0);
    return true;
}
