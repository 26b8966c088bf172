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

/* Sets the flags of the test samples. Returns their number; -1: no memory. */
static int choose(const samples_source *from, const samples_part *all, int classes, bool *tested)
{
    int *order = shuffle(from->seed, all->samples), chosen = 0;
    int *left = calloc((size_t)classes, sizeof *left);
    for (int i = 0; order && left && i < all->samples; ++i)
        ++left[class_of(all, i)];
    for (int c = 0; order && left && c < classes; ++c)
        left[c] = (int)floor((double)left[c] * (double)from->holdout);
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

bool hold_out(const samples_source *from, samples *out)
{
    samples_part all = out->train;
    const int classes = all.labels ? out->classes.count : 1;
    bool *tested = calloc((size_t)all.samples, sizeof *tested);
    const int chosen = tested ? choose(from, &all, classes, tested) : -1;
    out->train = (samples_part){0};
    bool done = chosen >= 0 || refuse("no memory to keep samples apart for the test");
    if (done && chosen == 0 && from->holdout_asked && from->holdout > 0.0f)
        done =
            refuse("--holdout %g: that is less than one sample of each class; there are %d "
                   "samples of %d %s",
                   (double)from->holdout, all.samples, classes, classes == 1 ? "class" : "classes");
    done = done && part_copy(&all, out, tested, false, all.samples - chosen, &out->train) &&
           part_copy(&all, out, tested, true, chosen, &out->test);
    /* Weights are those of training. */
    free(out->test.sample_weights);
    out->test.sample_weights = NULL;
    free(tested);
    part_free(&all);
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
