#include "data_options.h"

#include <stdio.h>

#include "common/failure.h"
#include "handwriting.h"
#include "pictures.h"

const char *data_options_feature_name(int kind)
{
    return kind == FEATURES_GRADIENT ? "gradient" : "raw";
}

const char *data_options_encoding_name(int encoding)
{
    return glnn_csv_encoding_name(encoding == 1 ? GLNN_CSV_ENCODING_ORDINAL
                                                : GLNN_CSV_ENCODING_ONE_HOT);
}

bool data_options_read_shape(data_options *of)
{
    glnn_shape *shape = &of->from.format.shape;
    const char *text = of->shape;
    int used = 0, rest = 0;
    if (text == NULL)
        return true;
    *shape = (glnn_shape){.channels = 1};
    bool done = sscanf(text, "%5dx%5d%n", &shape->height, &shape->width, &used) == 2;
    if (done && text[used] != '\0')
        done = sscanf(text + used, "x%5d%n", &shape->channels, &rest) == 1;
    if (!done || text[used + rest] != '\0' || shape->height < 1 || shape->width < 1 ||
        shape->channels < 1)
        return refuse("--shape '%s': give height x width, or height x width x channels, as in "
                      "28x28 or 32x32x3",
                      text);
    if ((path_is_pictures(of->from.data) || path_is_pictures(of->from.test)) &&
        shape->channels != 1 && shape->channels != 3)
        return refuse("--shape %s: pictures have 1 channel, or 3 in colour", text);
    return !samples_are_idx(&of->from) || path_has_handwriting(of->from.data) ||
           refuse("--shape %s: images of IDX files have a shape of their own", text);
}

static bool check_files(const samples_source *from)
{
    if (from->labels && (from->data == NULL || !path_is_npy(from->data)))
        return refuse("--labels %s: it needs --data with a .npy file of inputs", from->labels);
    if (from->test_labels && (from->test == NULL || !path_is_npy(from->test)))
        return refuse("--test-labels %s: it needs --test with a .npy file of inputs",
                      from->test_labels);
    if (from->test && from->data == NULL && !from->test_only)
        return refuse("--test %s: the samples to train with are missing; use --data", from->test);
    if (from->holdout >= 1.0f && !from->test_only)
        return refuse(
            "--holdout 1: nothing would be left to train with; it is the share kept apart "
            "for the test, from 0 to below 1");
    return true;
}

static bool check_targets(const data_options *of, const char *const *given)
{
    const samples_source *from = &of->from;
    const char *data = from->data ? from->data : from->test;
    if (from->format.targets == NULL)
        return true;
    if (data == NULL || path_is_npy(data))
        return refuse("--target %s: it names columns of a CSV file, which --data gives",
                      from->format.targets);
    if (given[DATA_LABEL])
        return refuse("--target and --label: a network learns numbers or classes");
    return of->lda == 0 || refuse("--target and --lda: discriminants need classes");
}

static bool check_test(const samples_source *from, const char *const *given)
{
    if (from->test_only && from->data && from->test)
        return refuse("--data %s and --test %s: without --epochs nothing is trained, and only one "
                      "of them can be measured",
                      from->data, from->test);
    if (!given[DATA_HOLDOUT])
        return true;
    if (from->test)
        return refuse("--holdout and --test: the test samples are those of --test %s", from->test);
    return !samples_have_test(from) ||
           refuse("--holdout: the folder of images has test samples of its own");
}

/* Each line of the predictions has to belong to a line of the file. */
static bool check_predict(const samples_source *from, const char *predict)
{
    if (predict == NULL || samples_have_test(from))
        return true;
    if (from->format.missing == GLNN_CSV_MISSING_DROP)
        return refuse("--predict and --missing drop: without the rows left out, the lines of %s "
                      "would not match those of the samples; use --missing fill",
                      predict);
    return from->test || from->test_only ||
           refuse("--predict %s: the test samples would be a random part of %s, so the lines could "
                  "not be matched to it; name samples by --test, or --save the model and --load it",
                  predict, from->data);
}

bool data_options_check_brought(const data_options *of, const char *load)
{
    return load == NULL || of->from.data || of->from.test ||
           (of->from.test_only
                ? refuse("--load %s: it needs --data, the samples to measure the model on; "
                         "--classify and exports alone need none",
                         load)
                : refuse("--load %s: it needs --data, the samples to train the model with, because "
                         "a loaded model has no default samples",
                         load));
}

bool data_options_check(const data_options *of, const char *const *given, const char *load,
                        const char *predict)
{
    static const struct {
        int row;
        const char *name;
    } prepared[] = {{DATA_TYPE, "type"},
                    {DATA_ENCODE, "encode"},
                    {DATA_RARE, "rare"},
                    {DATA_FEATURES, "features"},
                    {DATA_STANDARDISE, "standardise"},
                    {DATA_PCA, "pca"},
                    {DATA_LDA, "lda"},
                    {DATA_WHITEN, "whiten"}};
    for (size_t i = 0; load && i < sizeof prepared / sizeof prepared[0]; ++i)
        if (given[prepared[i].row])
            return refuse("%s of --load already fixes --%s; leave the option out", load,
                          prepared[i].name);
    if (load && given[DATA_MISSING] && of->from.format.missing == GLNN_CSV_MISSING_REFUSE)
        return refuse("--missing refuse and --load %s: the model treats missing values as in its "
                      "training; leave the option out, or use --missing drop",
                      load);
    if (of->pca > 0 && of->lda > 0)
        return refuse("give --pca or --lda, not both");
    if (of->whiten && of->pca == 0 && of->lda == 0)
        return refuse("--whiten needs --pca or --lda, because it scales their components");
    return check_files(&of->from) && check_targets(of, given) && check_test(&of->from, given) &&
           check_predict(&of->from, predict);
}
