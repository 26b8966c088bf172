#include "suggestion.h"

#include <ctype.h>
#include <string.h>

enum { NAME = 32 };

/* Names that other programs have for the same things. An option that a program lacks is not
 * suggested, so a name can stand here twice. */
static const struct {
    const char *name, *option;
} synonyms[] = {
    {"lr", "rate"},
    {"learning-rate", "rate"},
    {"eta", "rate"},
    {"standardize", "standardise"},
    {"normalise", "standardise"},
    {"normalize", "standardise"},
    {"batch-size", "batch"},
    {"minibatch", "batch"},
    {"iterations", "epochs"},
    {"optim", "optimizer"},
    {"solver", "optimizer"},
    {"weight-decay", "decay"},
    {"l2", "decay"},
    {"hidden-layers", "hidden"},
    {"units", "hidden"},
    {"neurons", "hidden"},
    {"early-stopping", "patience"},
    {"desired-error", "desired-loss"},
    {"target-error", "desired-error"},
    {"validation-split", "validation"},
    {"test-split", "holdout"},
    {"test-size", "holdout"},
    {"augment", "distort"},
    {"random-state", "seed"},
    {"delimiter", "separator"},
    {"train", "data"},
    {"input", "data"},
    {"dataset", "data"},
    {"out", "save"},
    {"output", "save"},
    {"gpu", "device"},
    {"model", "load"},
    {"learning-rate-init", "rate"},
    {"lr0", "rate"},
    {"scale", "standardise"},
    {"scaler", "standardise"},
    {"bs", "batch"},
    {"mini-batch-size", "batch"},
    {"max-iter", "epochs"},
    {"max-epochs", "epochs"},
    {"num-epochs", "epochs"},
    {"n-epochs", "epochs"},
    {"num-train-epochs", "epochs"},
    {"passes", "epochs"},
    {"algorithm", "optimizer"},
    {"alpha", "decay"},
    {"wd", "decay"},
    {"regularization", "decay"},
    {"l2-regularization", "lambda"},
    {"hidden-layer-sizes", "hidden"},
    {"hidden-size", "hidden"},
    {"hidden-units", "hidden"},
    {"dropout", "layers"},
    {"architecture", "layers"},
    {"criterion", "loss"},
    {"objective", "loss"},
    {"scheduler", "schedule"},
    {"lr-scheduler", "schedule"},
    {"kernel-initializer", "weights"},
    {"initializer", "weights"},
    {"n-iter-no-change", "patience"},
    {"early-stopping-rounds", "patience"},
    {"validation-fraction", "validation"},
    {"val-split", "validation"},
    {"valid", "validation"},
    {"test-fraction", "holdout"},
    {"train-test-split", "holdout"},
    {"n-neighbors", "prototypes"},
    {"n-clusters", "prototypes"},
    {"n-components", "prototypes"},
    {"k", "prototypes"},
    {"prototypes-per-class", "prototypes"},
    {"clusters", "prototypes"},
    {"n-init", "restarts"},
    {"covariance-type", "covariance"},
    {"reg-covar", "variance-floor"},
    {"amp", "precision"},
    {"fp16", "precision"},
    {"mixed-precision", "precision"},
    {"random-seed", "seed"},
    {"manual-seed", "seed"},
    {"folds", "cv"},
    {"kfold", "cv"},
    {"k-folds", "cv"},
    {"n-splits", "cv"},
    {"cross-validation", "cv"},
    {"cross-val", "cv"},
    {"grid-search", "search"},
    {"random-search", "search"},
    {"hyperparameters", "search"},
    {"param-distributions", "search"},
    {"sweep", "search"},
    {"n-trials", "trials"},
    {"max-trials", "trials"},
    {"scoring", "search-by"},
    {"image-size", "shape"},
    {"img-size", "shape"},
    {"imgsz", "shape"},
    {"input-shape", "shape"},
    {"resize", "shape"},
    {"impute", "missing"},
    {"imputer", "missing"},
    {"fillna", "missing"},
    {"sep", "separator"},
    {"ignore", "drop"},
    {"exclude", "drop"},
    {"drop-columns", "drop"},
    {"target-column", "label"},
    {"label-column", "label"},
    {"class-column", "label"},
    {"y", "label"},
    {"predictions", "predict"},
    {"inference", "predict"},
    {"continue", "resume"},
    {"stream", "budget"},
    {"memory", "budget"},
    {"cuda", "device"},
    {"gpus", "device"},
};

/* The name in a word: without dashes before it and a value after it, in small letters. */
static void find_name(const char *word, char name[NAME])
{
    size_t length = 0;
    word += strspn(word, "-");
    for (; *word && *word != '=' && length + 1 < NAME; ++word)
        name[length++] = *word == '_' ? '-' : (char)tolower((unsigned char)*word);
    name[length] = '\0';
}

/* The last option of every table is --help. NULL: the row is a heading. */
static const char *option_at(const option_table *table, int i)
{
    return i < table->count ? table->rows[i].name : "help";
}

static bool has_option(const option_table *table, const char *name)
{
    for (int i = 0; i <= table->count; ++i)
        if (option_at(table, i) && strcmp(option_at(table, i), name) == 0)
            return true;
    return false;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The number of letters to insert, remove, replace or swap with the next one. */
static int distance_between(const char *a, const char *b)
{
    int rows[3][NAME + 1], *above = rows[0], *row = rows[1], *before = rows[2];
    const int width = (int)strlen(b);
    if (width > NAME)
        return NAME;
    for (int j = 0; j <= width; ++j)
        row[j] = j;
    for (int i = 1; a[i - 1]; ++i) {
        int *const former = before;
        before = above;
        above = row;
        row = former;
        row[0] = i;
        for (int j = 1; j <= width; ++j) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[width];
}

/* The most similar name that was found so far. */
typedef struct similar {
    const char *to, *name; /* NULL: none is similar */
    int distance;          /* of the name, or the least that is too large */
} similar;

static similar similar_to(const char *name)
{
    const int length = (int)strlen(name);
    return (similar){.to = name, .distance = length < 3 ? 0 : length < 5 ? 2 : 3};
}

static void compare(similar *with, const char *name)
{
    const int distance = distance_between(with->to, name);
    if (distance < with->distance) {
        with->distance = distance;
        with->name = name;
    }
}

/* The option with the most similar name; NULL: none is similar. */
static const char *find_similar(const option_table *table, const char *name)
{
    similar of = similar_to(name);
    for (int i = 0; i <= table->count; ++i)
        if (option_at(table, i))
            compare(&of, option_at(table, i));
    return of.name;
}

void suggest_option(const option_table *table, const char *word, char out[SUGGESTION_TEXT])
{
    char name[NAME];
    find_name(word, name);
    const char *found = has_option(table, name) ? name : NULL;
    for (size_t i = 0; !found && i < sizeof synonyms / sizeof synonyms[0]; ++i)
        if (strcmp(synonyms[i].name, name) == 0 && has_option(table, synonyms[i].option))
            found = synonyms[i].option;
    if (!found)
        found = find_similar(table, name);
    *out = '\0';
    if (found)
        snprintf(out, SUGGESTION_TEXT, "; did you mean --%s?", found);
}

void suggest_choice(const option_row *row, const char *word, char out[SUGGESTION_TEXT])
{
    char name[NAME];
    snprintf(name, sizeof name, "%s", word);
    for (char *c = name; *c; ++c)
        *c = (char)tolower((unsigned char)*c);
    similar of = similar_to(name);
    for (int value = (int)row->low; value <= (int)row->high; ++value)
        compare(&of, row->name_of(value));
    *out = '\0';
    if (of.name)
        snprintf(out, SUGGESTION_TEXT, "; did you mean %s?", of.name);
}

int list_options(const option_table *table, const char *word, char out[SUGGESTION_TEXT])
{
    char name[NAME];
    size_t used = 0;
    int count = 0;
    find_name(word, name);
    *out = '\0';
    for (int i = 0; *name && i <= table->count && used < SUGGESTION_TEXT; ++i) {
        const char *option = option_at(table, i);
        if (option && strncmp(option, name, strlen(name)) == 0)
            used += (size_t)snprintf(out + used, SUGGESTION_TEXT - used, "%s--%s",
                                     count++ > 0 ? ", " : "", option);
    }
    return count;
}
