#include "samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "failure.h"
#include "random.h"
#include "show.h"

static void free_part(mnist_part *part)
{
    free(part->inputs);
    free(part->labels);
    *part = (mnist_part){0};
}

static void free_parts(samples *of)
{
    free_part(&of->train);
    free_part(&of->test);
}

void samples_free(samples *of)
{
    free_parts(of);
    classes_free(&of->classes);
    glnn_csv_columns_free(&of->columns);
    *of = (samples){0};
}

/* What becomes of a class that has no name in samples.classes. */
typedef enum unnamed { UNNAMED_ADDED, UNNAMED_REFUSED, UNNAMED_UNKNOWN } unnamed;

/* Numbers labels anew: as out->classes has the classes that `names` has under the old numbers. */
static bool renumber(const char *path, const class_names *names, unnamed way, mnist_part *part,
                     samples *out)
{
    int *classes = calloc((size_t)names->count + 1, sizeof *classes);
    bool done = classes != NULL || refuse("no memory for %d classes", names->count);
    for (int i = 0; done && i < names->count; ++i) {
        const char *name = names->names[i];
        classes[i] = way == UNNAMED_ADDED ? classes_add(&out->classes, name)
                                          : classes_find(&out->classes, name);
        if (classes[i] < 0 && way != UNNAMED_UNKNOWN)
            done = way == UNNAMED_REFUSED && refuse("%s: there are samples of class '%s', which "
                                                    "the classifier does not have",
                                                    path, name);
    }
    for (int i = 0; done && part->labels && i < part->samples; ++i)
        part->labels[i] = classes[part->labels[i]];
    free(classes);
    return done;
}

static bool load_images(const samples_source *from, samples *out)
{
    const unnamed way = out->classes.count == 0 ? UNNAMED_ADDED : UNNAMED_REFUSED;
    class_names digits = {0};
    mnist images;
    if (!mnist_load(from->data, &images))
        return false;
    out->generated = images.generated;
    out->width = images.width;
    out->height = images.height;
    out->features = images.width * images.height;
    out->train = images.train;
    out->test = images.test;
    if (from->test_only)
        free_part(&out->train);
    snprintf(out->from, sizeof out->from, "%s", images.folder);
    bool done = classes_number(&digits, MNIST_CLASSES) &&
                (from->test_only || renumber(images.folder, &digits, way, &out->train, out)) &&
                renumber(images.folder, &digits, UNNAMED_UNKNOWN, &out->test, out);
    classes_free(&digits);
    return done;
}

/* Moves a table's samples into a part, and its columns where there are none yet. */
static bool take(const char *path, table *from, unnamed way, samples *out, mnist_part *part)
{
    out->features = from->columns.features;
    out->dropped_rows += from->dropped_rows;
    out->filled_values += from->filled_values;
    *part = (mnist_part){from->rows, from->inputs, from->labels};
    from->inputs = NULL;
    from->labels = NULL;
    if (out->columns.features == 0) {
        out->columns = from->columns;
        from->columns = (glnn_csv_columns){0};
    }
    return renumber(path, &from->classes, way, part, out);
}

static bool load_table(const samples_source *from, const char *path, const char *labels,
                       unnamed way, samples *out, mnist_part *part)
{
    const glnn_csv_columns *like = out->columns.features > 0 ? &out->columns : NULL;
    table rows;
    if (path_is_npy(path) && from->labels != NULL && labels == NULL)
        return refuse("%s: its labels are missing: --test-labels", path);
    bool done =
        table_read(path, labels, &from->format, like, &rows) && take(path, &rows, way, out, part);
    table_free(&rows);
    return done;
}

/* Which samples are for the test, in a seeded order: of each class the share, rounded down, so that
 * a class of one sample is trained on. Returns their number, or -1 without memory. */
static int choose(const samples_source *from, const mnist_part *all, int classes, bool *tested)
{
    int *order = malloc((size_t)all->samples * sizeof *order), chosen = 0;
    int *left = calloc((size_t)classes, sizeof *left);
    uint64_t state = from->seed;
    for (int i = 0; order && left && i < all->samples; ++i) {
        ++left[all->labels[i]];
        int place = random_below(&state, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
    for (int c = 0; order && left && c < classes; ++c)
        left[c] = (int)floor((double)left[c] * (double)from->holdout);
    for (int i = 0; order && left && i < all->samples; ++i)
        if (left[all->labels[order[i]]]-- > 0) {
            tested[order[i]] = true;
            ++chosen;
        }
    bool done = order && left;
    free(order);
    free(left);
    return done ? chosen : -1;
}

static bool make_part(int count, int features, mnist_part *part)
{
    /* One more, so that a part without samples has memory too. */
    size_t rows = (size_t)count + 1;
    *part = (mnist_part){count, malloc(rows * (size_t)features * sizeof(float)),
                         malloc(rows * sizeof(int))};
    return part->inputs != NULL && part->labels != NULL;
}

/* Copies the samples whose flag is `wanted`, in their order. */
static void copy_chosen(const mnist_part *from, int features, const bool *flags, bool wanted,
                        mnist_part *to)
{
    const size_t row = (size_t)features;
    size_t next = 0;
    for (size_t i = 0; i < (size_t)from->samples; ++i) {
        if (flags[i] != wanted)
            continue;
        memcpy(to->inputs + next * row, from->inputs + i * row, row * sizeof(float));
        to->labels[next++] = from->labels[i];
    }
}

static bool hold_out(const samples_source *from, samples *out)
{
    mnist_part all = out->train;
    bool *tested = calloc((size_t)all.samples, sizeof *tested);
    int chosen = tested ? choose(from, &all, out->classes.count, tested) : -1;
    bool done = chosen >= 0;
    out->train = (mnist_part){0};
    done = done && make_part(all.samples - chosen, out->features, &out->train) &&
           make_part(chosen, out->features, &out->test);
    if (done) {
        copy_chosen(&all, out->features, tested, false, &out->train);
        copy_chosen(&all, out->features, tested, true, &out->test);
    } else {
        refuse("no memory to keep samples apart for the test");
    }
    free(tested);
    free_part(&all);
    return done;
}

static bool load_tables(const samples_source *from, samples *out)
{
    const unnamed way = out->classes.count == 0 ? UNNAMED_ADDED : UNNAMED_REFUSED;
    snprintf(out->from, sizeof out->from, "%s", from->data ? from->data : from->test);
    if (from->test_only && from->test == NULL)
        return load_table(from, from->data, from->labels, UNNAMED_UNKNOWN, out, &out->test);
    if (!from->test_only && !load_table(from, from->data, from->labels, way, out, &out->train))
        return false;
    if (!from->test_only && out->train.labels == NULL)
        return refuse("%s: the samples have no labels to train with%s", from->data,
                      path_is_npy(from->data) ? ": --labels names a file of them" : "");
    if (from->test)
        return load_table(from, from->test, from->test_labels, UNNAMED_UNKNOWN, out, &out->test);
    return hold_out(from, out);
}

void samples_show(const samples *of)
{
    if (of->generated)
        show_generated();
    printf("data       %s: %d samples for training, %d for the test, ", of->from, of->train.samples,
           of->test.samples);
    if (of->width > 0)
        printf("%d x %d pixels, %d classes\n", of->width, of->height, of->classes.count);
    else
        printf("%d features, %d classes\n", of->features, of->classes.count);
    if (of->columns.label_name)
        printf("label      column '%s'\n", of->columns.label_name);
    if (of->dropped_rows > 0)
        printf("note: %d rows with missing values were left out\n", of->dropped_rows);
    if (of->filled_values > 0)
        printf("note: %lld missing values became the means of their columns\n", of->filled_values);
    if (of->unknown > 0)
        printf("note: %d of %d test samples are of a class that training has not seen; they count "
               "as wrong\n",
               of->unknown, of->test.samples);
}

static bool is_file(const char *path)
{
    struct stat status;
    return path != NULL && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode));
}

bool samples_load(const samples_source *from, samples *out)
{
    *out = (samples){.classes = out->classes, .columns = out->columns};
    bool done = is_file(from->data) || from->test ? load_tables(from, out) : load_images(from, out);
    if (!done) {
        free_parts(out);
        return false;
    }
    for (int i = 0; out->test.labels && i < out->test.samples; ++i)
        out->unknown += out->test.labels[i] < 0;
    return true;
}

static glnn_dataset *upload(glnn_context *ctx, const samples *of, const mnist_part *part,
                            const char *name)
{
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = part->samples,
                                                   .features = of->features,
                                                   .inputs = part->inputs,
                                                   .labels = part->labels,
                                                   .classes = of->classes.count,
                                                   .name = name},
                              &data));
    return data;
}

glnn_dataset *samples_upload(glnn_context *ctx, const samples *of, const mnist_part *part,
                             const char *name)
{
    const int unknown = part == &of->test ? of->unknown : 0;
    mnist_part known;
    if (part->samples == unknown || part->labels == NULL)
        return NULL;
    if (unknown == 0)
        return upload(ctx, of, part, name);
    bool *flags = calloc((size_t)part->samples, sizeof *flags);
    REQUIRE((flags != NULL && make_part(part->samples - unknown, of->features, &known)) ||
            refuse("no memory for %d samples", part->samples - unknown));
    for (int i = 0; i < part->samples; ++i)
        flags[i] = part->labels[i] >= 0;
    copy_chosen(part, of->features, flags, true, &known);
    glnn_dataset *data = upload(ctx, of, &known, name);
    free(flags);
    free_part(&known);
    return data;
}
