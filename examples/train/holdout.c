#include "holdout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"
#include "common/random.h"
#include "stored.h"

void part_free(samples_part *part)
{
    free(part->inputs);
    free(part->labels);
    free(part->targets);
    free(part->sample_weights);
    free(part->class_weights);
    free(part->rows);
    stored_release(part->file);
    *part = (samples_part){0};
}

static int class_of(const samples_part *of, int sample)
{
    return of->labels ? of->labels[sample] : 0;
}

/* The numbers below `count` in a random order; NULL: no memory. */
static int *shuffle(uint64_t seed, int count)
{
    int *order = malloc((size_t)count * sizeof *order);
    for (int i = 0; order && i < count; ++i) {
        const int place = random_below(&seed, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
    return order;
}

static int *count_classes(const samples_part *of, int classes)
{
    int *counts = calloc((size_t)classes, sizeof *counts);
    for (int i = 0; counts && i < of->samples; ++i)
        ++counts[class_of(of, i)];
    return counts;
}

/* Sets the flags of a share of each class. Returns their number; -1: no memory. */
static int choose_share(uint64_t seed, float share, const samples_part *all, int classes,
                        bool *tested)
{
    int *order = shuffle(seed, all->samples), chosen = 0;
    int *left = count_classes(all, classes);
    for (int c = 0; order && left && c < classes; ++c)
        left[c] = (int)floor((double)left[c] * (double)share);
    for (int i = 0; order && left && i < all->samples; ++i)
        if (left[class_of(all, order[i])]-- > 0) {
            tested[order[i]] = true;
            ++chosen;
        }
    bool done = order && left;
    free(order);
    free(left);
    return done ? chosen : -1;
}

/* Deals the samples of each class to the folds in turn. A class begins where the one before ended.
 * Sets the flags of one fold. Returns their number; -1: no memory. */
static int choose_fold(uint64_t seed, const sample_split *split, const samples_part *all,
                       int classes, bool *tested)
{
    int *order = shuffle(seed, all->samples), chosen = 0;
    int *next = count_classes(all, classes);
    for (int c = 0, first = 0; order && next && c < classes; ++c) {
        const int count = next[c];
        next[c] = first % split->folds;
        first = (first + count) % split->folds;
    }
    for (int i = 0; order && next && i < all->samples; ++i) {
        int *fold = &next[class_of(all, order[i])];
        tested[order[i]] = *fold == split->fold;
        chosen += tested[order[i]];
        *fold = (*fold + 1) % split->folds;
    }
    bool done = order && next;
    free(order);
    free(next);
    return done ? chosen : -1;
}

static bool make_part(const samples_part *like, const samples *of, int count, samples_part *part)
{
    /* One more row, because malloc(0) may return NULL. */
    const size_t rows = (size_t)count + 1;
    *part = (samples_part){
        .samples = count,
        .inputs = like->file ? NULL : malloc(rows * (size_t)part_width(like) * sizeof(float)),
        .rows = like->file ? malloc(rows * sizeof(int)) : NULL,
        .file = like->file,
        .is_raw = like->is_raw,
        .is_encoded = like->is_encoded,
        .of = like->of,
        .labels = like->labels ? malloc(rows * sizeof(int)) : NULL,
        .targets =
            like->targets ? malloc(rows * (size_t)of->columns.targets * sizeof(float)) : NULL,
        .sample_weights = like->sample_weights ? malloc(rows * sizeof(float)) : NULL};
    if (part->file)
        ++part->file->owners;
    return (part->inputs || part->rows) && (part->labels || !like->labels) &&
           (part->targets || !like->targets) && (part->sample_weights || !like->sample_weights);
}

static void copy_sample(const samples_part *from, const samples *of, size_t i, samples_part *to,
                        size_t next)
{
    const size_t row = (size_t)part_width(from), targets = (size_t)of->columns.targets;
    if (from->file)
        to->rows[next] = from->rows[i];
    else
        memcpy(to->inputs + next * row, from->inputs + i * row, row * sizeof(float));
    if (from->labels)
        to->labels[next] = from->labels[i];
    if (from->targets)
        memcpy(to->targets + next * targets, from->targets + i * targets, targets * sizeof(float));
    if (from->sample_weights)
        to->sample_weights[next] = from->sample_weights[i];
}

bool part_copy(const samples_part *from, const samples *of, const bool *flags, bool wanted,
               int count, samples_part *out)
{
    size_t next = 0;
    if (!make_part(from, of, count, out)) {
        part_free(out);
        return refuse("no memory for %d samples", count);
    }
    for (size_t i = 0; i < (size_t)from->samples; ++i)
        if (flags[i] == wanted)
            copy_sample(from, of, i, out, next++);
    return true;
}

/* Moves the samples with flags to the test part, which is empty. */
static bool move_to_test(const bool *tested, int chosen, samples *out)
{
    samples_part all = out->train;
    out->train = (samples_part){0};
    const bool done = part_copy(&all, out, tested, false, all.samples - chosen, &out->train) &&
                      part_copy(&all, out, tested, true, chosen, &out->test);
    /* Weights are those of training. */
    free(out->test.sample_weights);
    out->test.sample_weights = NULL;
    part_free(&all);
    return done;
}

static int classes_in(const samples *of)
{
    return of->train.labels ? of->classes.count : 1;
}

bool hold_out(const samples_source *from, samples *out)
{
    const int classes = classes_in(out);
    bool *tested = calloc((size_t)out->train.samples, sizeof *tested);
    const int chosen =
        tested ? choose_share(from->seed, from->holdout, &out->train, classes, tested) : -1;
    bool done = chosen >= 0 || refuse("no memory to keep samples apart for the test");
    if (done && chosen == 0 && from->holdout_asked && from->holdout > 0.0f)
        done = refuse("--holdout %g: that is less than one sample of each class; there are %d "
                      "samples of %d %s",
                      (double)from->holdout, out->train.samples, classes,
                      classes == 1 ? "class" : "classes");
    done = done && move_to_test(tested, chosen, out);
    free(tested);
    return done;
}

/* Each fold needs a sample of each class. Classes without samples for training do not matter. */
static bool check_folds(int folds, const samples *of)
{
    const int classes = classes_in(of);
    int *counts = count_classes(&of->train, classes), least = -1;
    if (counts == NULL)
        return refuse("no memory for %d classes", classes);
    for (int c = 0; c < classes; ++c)
        if (counts[c] > 0 && (least < 0 || counts[c] < counts[least]))
            least = c;
    const int count = least < 0 ? 0 : counts[least];
    free(counts);
    if (folds <= count)
        return true;
    if (of->train.labels == NULL || count == 0)
        return refuse("--cv %d: there are only %d samples for training; each fold needs one", folds,
                      count);
    return refuse("--cv %d: class '%s' has only %d sample%s for training; each fold needs one of "
                  "each class",
                  folds, of->classes.names[least], count, count == 1 ? "" : "s");
}

bool split_training(const samples_source *from, samples *out)
{
    const sample_split *split = &from->split;
    const int classes = classes_in(out);
    /* The choice of the test samples and this one must not have the same order. */
    const uint64_t seed = split->seed ^ 0x5DEECE66D1CE4E5Bu;
    if (split->folds == 0 && !(split->share > 0))
        return true;
    part_free(&out->test);
    if (split->folds > 0 && !check_folds(split->folds, out))
        return false;
    bool *tested = calloc((size_t)out->train.samples, sizeof *tested);
    const int chosen = !tested ? -1
                       : split->folds > 0
                           ? choose_fold(seed, split, &out->train, classes, tested)
                           : choose_share(seed, split->share, &out->train, classes, tested);
    bool done = (chosen > 0 && move_to_test(tested, chosen, out)) ||
                (chosen < 0 && refuse("no memory to split the samples for training")) ||
                (chosen == 0 &&
                 refuse("--validation %g: that is less than one sample of each class; there are "
                        "%d samples of %d %s for training",
                        (double)split->share, out->train.samples, classes,
                        classes == 1 ? "class" : "classes"));
    free(tested);
    return done;
}

bool draw_samples(const samples_source *from, samples *out)
{
    const int count = out->train.samples;
    if (from->most == 0 || from->most >= count)
        return true;
    samples_part some = {0};
    int *order = shuffle(~from->seed, count);
    bool *drawn = calloc((size_t)count, sizeof *drawn);
    bool done = (order && drawn) || refuse("no memory to choose %d samples", from->most);
    for (int i = 0; done && i < from->most; ++i)
        drawn[order[i]] = true;
    done = done && part_copy(&out->train, out, drawn, true, from->most, &some);
    if (done) {
        part_free(&out->train);
        out->train = some;
    }
    free(order);
    free(drawn);
    return done;
}
