#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "checkpoint.h"
#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/folder.h"
#include "common/gnuplot.h"
#include "common/plot.h"
#include "figures.h"
#include "handwriting.h"
#include "outputs.h"
#include "settings_rows.h"

bool export_name(const char *option, const char *path, char name[EXPORT_NAME])
{
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    const size_t length = strcspn(stem, ".");
    snprintf(name, EXPORT_NAME, "%.*s", (int)length, stem);
    return (length > 0 && length < EXPORT_NAME && !(*name >= '0' && *name <= '9') &&
            strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
                length) ||
           refuse("--%s %s: the functions have the name of the file, so that has to be of at most "
                  "%d letters, digits and underscores, the first a letter",
                  option, path, GLNN_EXPORT_MAX_NAME);
}

/* GLSL keeps some of these names for itself. */
static bool check_glsl_name(const char *path)
{
    char name[EXPORT_NAME], function[EXPORT_NAME + 1];
    if (!export_name("export-glsl", path, name))
        return false;
    snprintf(function, sizeof function, "%s_", name);
    return (!strstr(function, "__") && strncasecmp(function, "gl_", 3) != 0 &&
            strncasecmp(function, "webgl_", 6) != 0) ||
           refuse("--export-glsl %s: the functions have the name of the file, and GLSL reserves "
                  "names that begin with gl_ or webgl_ or have two underscores in a row",
                  path);
}

bool settings_learn_targets(const settings *of)
{
    return of->data.from.format.targets != NULL;
}

glnn_storage settings_get_storage(const settings *of)
{
    return of->precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
}

glnn_context *settings_open_device(const settings *of)
{
    glnn_context *ctx;
    const glnn_context_desc desc = {.platform = of->platform,
                                    .device = distributed_device(of->processes, of->device),
                                    .stage = of->stage};
    glnn_log_set(distributed_is_first(of->processes) ? device_print_message : NULL, NULL);
    CHECK(glnn_context_create(&desc, &ctx));
    return ctx;
}

/* Learners as the bits of a set. */
#define ONE(learner) (1u << (learner))
#define LVQ(kind)    ONE(LEARNER_LVQ + GLNN_LVQ_##kind)

enum {
    NETWORK = ONE(LEARNER_NETWORK),
    KMEANS = ONE(LEARNER_KMEANS),
    GMM = ONE(LEARNER_GMM),
    SVM = ONE(LEARNER_SVM)
};
static const unsigned lvq = ~(unsigned)(NETWORK | KMEANS | GMM | SVM);
static const unsigned by_gradient = LVQ(GLVQ) | LVQ(GRLVQ) | LVQ(GMLVQ);

/* False if an option was given that the learner does not use. */
static bool check_learner(const settings *from, int learner)
{
    const struct {
        int row;
        unsigned users;
        const char *reason; /* why others cannot use it; NULL: it is part of a method */
    } of_some[] = {
        {HIDDEN, NETWORK, NULL},
        {LAYERS, NETWORK, NULL},
        {ACTIVATION, NETWORK, NULL},
        {LOSS, NETWORK, NULL},
        {LOSS_PARAMETER, NETWORK, NULL},
        {LOSS_VALUE, NETWORK, NULL},
        {LOSS_DERIVATIVE, NETWORK, NULL},
        {WEIGHTS, NETWORK, NULL},
        {OPTIMIZER, NETWORK, NULL},
        {MOMENTUM, NETWORK | SVM, NULL},
        {DECAY, NETWORK, NULL},
        {LABEL_SMOOTHING, NETWORK, NULL},
        {GRADIENT_NOISE, NETWORK, NULL},
        {TWO_PARTS, NETWORK | lvq, NULL},
        {PRECISION, NETWORK, NULL},
        {DATA_TARGET, NETWORK, "it learns classes; a network also learns numbers"},
        {PROTOTYPES, lvq | KMEANS | GMM, NULL},
        {INIT, lvq | KMEANS, learner == LEARNER_GMM ? "it starts from k-means" : NULL},
        {XI, by_gradient, NULL},
        {WINDOW, LVQ(LVQ21) | LVQ(LVQ3), NULL},
        {EPSILON, LVQ(LVQ3), NULL},
        {SIGMA, LVQ(RSLVQ), NULL},
        {RANK, LVQ(GMLVQ), NULL},
        {NEAREST, lvq | KMEANS, learner == LEARNER_GMM ? "it weighs all components" : NULL},
        {RESTARTS, KMEANS, NULL},
        {COVARIANCE, GMM, NULL},
        {VARIANCE_FLOOR, GMM, NULL},
        {SHRINKAGE, GMM, NULL},
        {SVM_LOSS, SVM, NULL},
        {LAMBDA, SVM, NULL},
        {CLASS_WEIGHTS, NETWORK, "only networks weigh samples"},
        {SAMPLE_WEIGHTS, NETWORK, "only networks weigh samples"},
        {BATCH, NETWORK | lvq | KMEANS | SVM, "it reads all samples at once"},
        {BATCH_SCHEDULE_FACTOR, NETWORK | lvq | KMEANS | SVM, "it reads all samples at once"},
        {BATCH_SCHEDULE_EVERY, NETWORK | lvq | KMEANS | SVM, "it reads all samples at once"},
        {BATCH_SCHEDULE_MOST, NETWORK | lvq | KMEANS | SVM, "it reads all samples at once"},
        {RATE, NETWORK | lvq | SVM, "its steps have no rate"},
        {SCHEDULE, NETWORK | lvq | SVM, "its steps have no rate"},
        {PATIENCE, NETWORK | lvq | SVM, "it ends by itself"},
        {EMPHASIS, NETWORK | lvq | SVM, "each sample counts once in its means"},
        {EMPHASIS_BY, NETWORK | lvq | SVM, "each sample counts once in its means"},
        {ADVISE, NETWORK | lvq | KMEANS | SVM, "the time of its steps cannot be expected"},
        {DISTORT, NETWORK | lvq | SVM, "it has to see the same samples again"},
    };
    for (size_t i = 0; i < sizeof of_some / sizeof of_some[0]; ++i)
        if (from->given[of_some[i].row] && !(of_some[i].users >> learner & 1u))
            return refuse("%s does not use --%s%s%s", learner_name(learner),
                          settings_rows[of_some[i].row].name, of_some[i].reason ? "; " : "",
                          of_some[i].reason ? of_some[i].reason : "");
    if (from->codebook_out && (learner == LEARNER_NETWORK || learner == LEARNER_SVM))
        return refuse("--codebook-out %s: %s has no prototypes", from->codebook_out,
                      learner_name(learner));
    if (from->export_c && learner == LEARNER_GMM)
        return refuse("--export-c %s: a mixture cannot be exported", from->export_c);
    if (from->export_glsl && learner != LEARNER_NETWORK)
        return refuse("--export-glsl %s: only a network can be exported as GLSL",
                      from->export_glsl);
    return learner != LEARNER_KMEANS || from->init == GLNN_LVQ_INIT_AUTO ||
           from->init == GLNN_LVQ_INIT_SAMPLES ||
           refuse("--init and --learner kmeans: choose auto or samples");
}

/* A model that is loaded brings its own description. */
static bool check_load(const settings *from)
{
    static const int described[] = {
        LEARNER,        HIDDEN,         LAYERS,         ACTIVATION,     LOSS,
        WEIGHTS,        OPTIMIZER,      MOMENTUM,       DECAY,          LABEL_SMOOTHING,
        GRADIENT_NOISE, TWO_PARTS,      PROTOTYPES,     INIT,           XI,
        WINDOW,         SIGMA,          EPSILON,        RANK,           NEAREST,
        RESTARTS,       COVARIANCE,     VARIANCE_FLOOR, SHRINKAGE,      SVM_LOSS,
        LAMBDA,         LOSS_PARAMETER, LOSS_VALUE,     LOSS_DERIVATIVE};
    for (size_t i = 0; from->load && i < sizeof described / sizeof described[0]; ++i)
        if (from->given[described[i]])
            return refuse("%s of --load already fixes --%s; leave the option out", from->load,
                          settings_rows[described[i]].name);
    return !(from->load && from->codebook_in) ||
           refuse("--load and --codebook-in: give one of them");
}

static bool check_codebook(const settings *from)
{
    const bool prepared = from->data.pca > 0 || from->data.lda > 0 || from->data.standardise;
    if (from->codebook_in && from->learner < LEARNER_LVQ)
        return refuse("--codebook-in and --learner %s: choose a learner of the LVQ family",
                      learner_name(from->learner));
    if (from->codebook_in && from->given[PROTOTYPES])
        return refuse("--codebook-in and --prototypes: the file says how many there are");
    if (from->codebook_in && from->given[INIT])
        return refuse("--codebook-in and --init: the file says where prototypes start");
    if (from->codebook_in && !from->train && prepared)
        return refuse("--codebook-in with --pca, --lda or --standardise needs --epochs: these come "
                      "from training samples");
    return from->codebook_out == NULL || from->load || from->learner != LEARNER_GMM ||
           refuse("--codebook-out and --learner gmm: choose the LVQ family or kmeans");
}

static bool learns_numbers(glnn_loss loss)
{
    return loss != GLNN_LOSS_CROSS_ENTROPY && loss != GLNN_LOSS_BINARY_CROSS_ENTROPY &&
           loss != GLNN_LOSS_HINGE;
}

bool settings_have_sigmoids(const settings *of)
{
    return learns_numbers(of->loss) && !settings_learn_targets(of);
}

bool settings_are_adaptive(const settings *of)
{
    return of->optimizer == GLNN_OPTIMIZER_ADAM || of->optimizer == GLNN_OPTIMIZER_RMSPROP;
}

static bool check_training(const settings *from)
{
    if (from->patience > 0 && !(from->data.validation > 0.0f))
        return refuse("--patience %d: it needs --validation, because stopping by the test samples "
                      "would spoil the test",
                      from->patience);
    const bool rprop = from->optimizer == GLNN_OPTIMIZER_RPROP;
    if ((rprop || from->optimizer == GLNN_OPTIMIZER_ADAM) && from->given[MOMENTUM])
        return refuse("--momentum and --optimizer %s: momentum is for sgd, nesterov and rmsprop",
                      glnn_optimizer_kind_name(from->optimizer));
    if (rprop && (from->given[RATE] || from->given[SCHEDULE]))
        return refuse("--%s and --optimizer rprop: its steps have no rate",
                      settings_rows[from->given[RATE] ? RATE : SCHEDULE].name);
    return !settings_learn_targets(from) || !from->given[LOSS] || learns_numbers(from->loss) ||
           refuse("--target and --loss %s: numbers are learnt with squared, absolute, huber, "
                  "quantile or expression",
                  glnn_loss_name(from->loss));
}

static bool check_weights(const settings *from)
{
    const samples_source *data = &from->data.from;
    const char *column = data->format.weights;
    if (from->class_weights && settings_learn_targets(from))
        return refuse("--class-weights and --target: targets have no classes");
    if (column && from->load)
        return refuse("--sample-weights and --load: weights are for the training of a new model");
    return column == NULL ||
           !(data->data == NULL || path_is_folder(data->data) || path_is_npy(data->data) ||
             path_has_handwriting(data->data)) ||
           refuse("--sample-weights %s: it names a column of a CSV file, which --data gives",
                  column);
}

/* The option that compares models; NULL: one model is trained. */
static const char *comparing_option(const settings *from)
{
    return from->search ? "search" : from->folds > 0 ? "cv" : from->seeds > 1 ? "seeds" : NULL;
}

static bool check_comparison(const settings *from)
{
    const struct {
        const char *name;
        bool given;
    } of_one_model[] = {{"save", from->save},
                        {"predict", from->predict},
                        {"codebook-out", from->codebook_out},
                        {"export-c", from->export_c},
                        {"export-glsl", from->export_glsl},
                        {"checkpoint", from->checkpoint},
                        {"curve", from->curve},
                        {"plot", from->plot},
                        {"contact-sheet", from->contact_sheet},
                        {"classify", from->classify},
                        {"load", from->load},
                        {"advise", from->advise},
                        {"distributed", from->distributed.wanted}};
    const char *compares = comparing_option(from);
    for (size_t i = 0; compares && i < sizeof of_one_model / sizeof of_one_model[0]; ++i)
        if (of_one_model[i].given)
            return refuse("--%s and --%s: many models are trained and none is kept; leave --%s "
                          "out, or train one model without --%s",
                          compares, of_one_model[i].name, of_one_model[i].name, compares);
    if (compares && !from->train)
        return refuse("--%s: without --epochs nothing is trained", compares);
    if (from->folds > 0 && !from->search && from->data.from.test)
        return refuse("--cv and --test: a fold is measured in each training, and no other samples; "
                      "leave --test %s out",
                      from->data.from.test);
    if (!from->search && (from->given[TRIALS] || from->given[SEARCH_BY]))
        return refuse("--%s: it needs --search", from->given[TRIALS] ? "trials" : "search-by");
    const bool is_of_targets = figure_is_of_targets(from->search_by);
    return from->search_by == FIGURE_AUTO || is_of_targets == settings_learn_targets(from) ||
           refuse("--search-by %s: it is a metric of %s", figure_name(from->search_by),
                  is_of_targets ? "targets, which --target names" : "classes, not of targets");
}

static bool check_predictions(const settings *from)
{
    const char *outputs = from->probabilities ? "probabilities" : from->scores ? "scores" : NULL;
    if (from->probabilities && from->scores)
        return refuse("--probabilities and --scores: give one of them");
    if (outputs && from->predict == NULL)
        return refuse("--%s: it needs --predict, the file to write", outputs);
    if (outputs && from->top_k > 0 && path_is_npy(from->predict))
        return refuse("--%s and --top-k: %s is one matrix, so it has one of them", outputs,
                      from->predict);
    return from->top_k == 0 || !(from->threshold > 0) ||
           refuse("--threshold and --top-k: give one of them; a threshold is for 2 classes");
}

/* Options that are of no use without another one. */
static bool check_company(const settings *from)
{
    char name[EXPORT_NAME];
    if (from->export_c && !export_name("export-c", from->export_c, name))
        return false;
    if (from->export_glsl && !check_glsl_name(from->export_glsl))
        return false;
    if (from->contact_sheet && from->distort == NULL)
        return refuse("--contact-sheet %s: it needs --distort", from->contact_sheet);
    if (from->given[EMPHASIS_BY] && from->emphasis == 0)
        return refuse("--emphasis-by %s: it needs --emphasis above 0",
                      glnn_emphasis_kind_name(from->emphasis_by));
    if (from->batch_schedule.factor == 0 &&
        (from->given[BATCH_SCHEDULE_EVERY] || from->given[BATCH_SCHEDULE_MOST]))
        return refuse("--batch-schedule-%s: it needs --batch-schedule-factor",
                      from->given[BATCH_SCHEDULE_EVERY] ? "every" : "most");
    if (from->invert && from->classify == NULL)
        return refuse("--invert: it needs --classify");
    if (from->checkpoint == NULL && (from->resume || from->overwrite || from->every > 0))
        return refuse("--%s: it needs --checkpoint", from->resume      ? "resume"
                                                     : from->overwrite ? "overwrite"
                                                                       : "every");
    if (from->resume && from->overwrite)
        return refuse("--resume and --overwrite: give one of them");
    if (from->train)
        return true;
    const char *path = from->checkpoint ? from->checkpoint : from->curve;
    return path == NULL || refuse("--%s %s: without --epochs nothing is trained",
                                  from->checkpoint ? "checkpoint" : "curve", path);
}

static bool check_distributed(const settings *from)
{
    if (!distributed_check(&from->distributed))
        return false;
    if (from->distributed.wanted && !from->train)
        return refuse("--distributed: without --epochs nothing is trained");
    return !from->distributed.wanted ||
           (from->device == 0 && from->platform == GLNN_PLATFORM_EGL) ||
           refuse(
               "--distributed: each process chooses an EGL device of its own; leave --device and "
               "--platform out");
}

/* Without a training its options have no effect. */
static bool check_measured(const settings *from)
{
    static const int of_training[] = {BATCH_SCHEDULE_FACTOR,
                                      BATCH_SCHEDULE_EVERY,
                                      BATCH_SCHEDULE_MOST,
                                      DATA_SAMPLES,
                                      DATA_HOLDOUT,
                                      DATA_VALIDATION,
                                      BATCH,
                                      RATE,
                                      SCHEDULE,
                                      PATIENCE,
                                      DESIRED_ERROR,
                                      DESIRED_LOSS,
                                      RESTORE_BEST,
                                      CLASS_WEIGHTS,
                                      SAMPLE_WEIGHTS,
                                      EMPHASIS,
                                      EMPHASIS_BY,
                                      ADVISE,
                                      DISTORT,
                                      SEED};
    for (size_t i = 0; !from->train && i < sizeof of_training / sizeof of_training[0]; ++i)
        if (from->given[of_training[i]])
            return refuse("--%s and --%s: without --epochs nothing is trained, so --%s would have "
                          "no effect",
                          from->load ? "load" : "codebook-in", settings_rows[of_training[i]].name,
                          settings_rows[of_training[i]].name);
    return true;
}

static bool read_distortion(settings *out)
{
    return out->distort == NULL || distort_parse(out->distort, &out->distortion) ||
           refuse("--distort: %s", failure());
}

/* --hidden is short for a list of dense layers. */
static bool list_layers(settings *out)
{
    if (out->given[HIDDEN] && out->given[LAYERS])
        return refuse("--hidden and --layers: give one of them; --hidden 300,100 is short for "
                      "--layers 'dense 300, dense 100'");
    if (out->layers)
        return layers_parse(out->layers, out->activation, &out->list) ||
               refuse("--layers: %s", failure());
    const bool is_linear = out->hidden.count == 1 && out->hidden.values[0] == 0;
    out->list.count = is_linear ? 0 : out->hidden.count;
    for (int i = 0; i < out->list.count; ++i)
        if (out->hidden.values[i] == 0)
            return refuse("--hidden %s: a layer has at least 1 unit; --hidden 0 alone has no "
                          "hidden layer",
                          out->given[HIDDEN]);
    for (int i = 0; i < out->list.count; ++i)
        out->list.layers[i] =
            (glnn_layer_desc){.units = out->hidden.values[i], .activation = out->activation};
    return true;
}

static bool check_images(const settings *from)
{
    const bool projects = from->data.pca > 0 || from->data.lda > 0;
    return !projects || !layers_need_images(&from->list) ||
           refuse("--layers and --%s: convolution, pooling and recurrent layers need images, but "
                  "components are none",
                  from->data.pca > 0 ? "pca" : "lda");
}

static bool finish(void *into)
{
    settings *out = into;
    if (out->class_weights && strcmp(out->class_weights, "none") == 0)
        out->class_weights = NULL;
    if (out->codebook_in && !out->given[LEARNER])
        out->learner = LEARNER_LVQ + GLNN_LVQ_GLVQ;
    out->train = (out->load == NULL && out->codebook_in == NULL) || out->given[EPOCHS];
    out->needs_data = out->train || !(out->classify || out->export_c || out->export_glsl) ||
                      out->predict || out->metrics || out->codebook_out || out->given[DATA_DATA];
    out->restore_best = out->restore_best || out->restarts > 0 || out->data.validation > 0.0f;
    out->data.from.seed = out->seed;
    out->data.from.holdout_asked = out->given[DATA_HOLDOUT];
    out->data.from.test_only = !out->train;
    return list_layers(out) && check_images(out) && data_options_read_shape(&out->data) &&
           read_distortion(out) && check_load(out) && check_codebook(out) && check_training(out) &&
           check_company(out) && check_weights(out) && check_predictions(out) &&
           check_comparison(out) && check_distributed(out) &&
           (out->load || check_learner(out, out->learner)) && check_measured(out) &&
           data_options_check(&out->data, out->given, out->load, out->predict) &&
           (!out->needs_data || data_options_check_brought(&out->data, out->load));
}

/* Sigmoid units under squared error saturate at the rates that suit cross-entropy, and identity
 * units diverge at them. With those of adam and rmsprop, and the cosine, tables of some thousand
 * rows end after ten epochs where they do with sgd. */
static float rate_of(const settings *from)
{
    const bool targets = settings_learn_targets(from);
    if (settings_are_adaptive(from))
        return 0.01f;
    return targets ? 0.01f : settings_have_sigmoids(from) ? 0.5f : 0.1f;
}

static int batch_of(const settings *from, bool has_few_samples)
{
    enum { OF_FEW = 32, OF_NUMBERS = 16 };
    if (from->optimizer == GLNN_OPTIMIZER_RPROP)
        return GLNN_FULL_BATCH;
    if (settings_are_adaptive(from))
        return has_few_samples ? OF_FEW : 0;
    return learns_numbers(from->loss) ? OF_NUMBERS : 0;
}

/* With sgd, tables of some dozens of features may diverge at any rate that is fast enough for small
 * ones. Tables of few rows are overfitted, more so with the larger first weights of he; see
 * docs/results.md. The weights of classes hardly change the steps of adam. The optimizer of a
 * loaded network is not known here. */
static void complete_network(settings *out, bool is_table)
{
    const bool has_few_samples = is_table || settings_learn_targets(out);
    if (has_few_samples && !out->given[OPTIMIZER] && !out->given[MOMENTUM])
        out->optimizer = GLNN_OPTIMIZER_ADAM;
    if (is_table && !out->given[WEIGHTS])
        out->weights = GLNN_INIT_GLOROT;
    const bool rprop = out->optimizer == GLNN_OPTIMIZER_RPROP;
    if (settings_learn_targets(out) && !out->given[LOSS])
        out->loss = GLNN_LOSS_SQUARED;
    if ((settings_are_adaptive(out) || rprop || settings_have_sigmoids(out)) &&
        !out->given[MOMENTUM])
        out->momentum = 0.0f;
    if (!out->given[RATE] && !out->load && !rprop)
        out->rate = rate_of(out);
    if (!out->given[BATCH])
        out->batch = batch_of(out, has_few_samples);
    if (!out->given[SCHEDULE] && !rprop)
        out->schedule = GLNN_SCHEDULE_COSINE;
}

/* The text begins with the number for learners that do not end by themselves. */
static int default_epochs(void)
{
    glnn_field field = {.size = sizeof field};
    REQUIRE(glnn_field_find(GLNN_DESCRIPTION_TRAIN, "epochs", &field) == GLNN_OK ||
            refuse("%s", glnn_last_error()));
    return atoi(field.standard);
}

void settings_complete(settings *with, int learner, bool is_table)
{
    REQUIRE(check_learner(with, learner));
    with->learner = learner;
    if (learner == LEARNER_NETWORK)
        complete_network(with, is_table);
    /* Without momentum, machines for a class of 1 % of the rows still answer no at the end. */
    if (learner == LEARNER_SVM && !is_table && !with->given[MOMENTUM])
        with->momentum = 0.0f;
    if (!with->given[EPOCHS] && learner != LEARNER_KMEANS && learner != LEARNER_GMM)
        with->epochs = default_epochs();
    if (!with->given[SCHEDULE] && learner >= LEARNER_SVM)
        with->schedule = GLNN_SCHEDULE_LINEAR;
}

void settings_choose_epochs(settings *with, int count, bool is_table)
{
    enum { USUAL_BATCH = 128, MOST_EPOCHS = 50 };
    /* Few rows with classes are soon overfitted, but not by a linear model. */
    const bool overfits = is_table && with->learner == LEARNER_NETWORK && with->list.count > 0 &&
                          settings_are_adaptive(with) && !settings_learn_targets(with);
    const int least_steps = overfits ? 200 : 2000, least = overfits ? 12 : with->epochs;
    if (with->given[EPOCHS] || with->learner == LEARNER_KMEANS || with->learner == LEARNER_GMM)
        return;
    const int taught = (int)((double)count * (1.0 - (double)with->data.validation));
    const int batch = with->batch < 0 ? taught : with->batch > 0 ? with->batch : USUAL_BATCH;
    const int steps = batch > 0 ? (taught + batch - 1) / batch : 0;
    const int wanted = steps > 0 ? (least_steps + steps - 1) / steps : 0;
    const int epochs = wanted < MOST_EPOCHS ? wanted : MOST_EPOCHS;
    with->epochs = epochs > least ? epochs : least;
}

option_table settings_table(const char *program)
{
    return (option_table){.program = program,
                          .summary = "Trains a network, prototypes, k-means, mixtures of Gaussians "
                                     "or a support vector machine\non samples of your own, "
                                     "measures them, and predicts with them.",
                          .rows = settings_rows,
                          .count = settings_row_count,
                          .size = sizeof(settings),
                          .given = offsetof(settings, given),
                          .check = finish};
}

/* One process writes the results. All of them need the checkpoint to resume from. */
static void leave_out_files(settings *with)
{
    with->save = with->predict = with->metrics = with->codebook_out = with->export_c =
        with->export_glsl = NULL;
    with->plot = with->curve = with->contact_sheet = with->classify = NULL;
}

void settings_read(int argc, char **argv, settings *out)
{
    const option_table options = settings_table(argv[0]);
    options_read(&options, argc, argv, out);
    if (out->list_devices) {
        device_list();
        exit(output_status());
    }
    if (out->selftest)
        exit(device_selftest(&(glnn_context_desc){
            .platform = out->platform, .device = out->device, .stage = out->stage}));
    REQUIRE(distributed_start(&out->distributed, &out->processes));
    if (!distributed_is_first(out->processes))
        leave_out_files(out);
    const option_path read[] = {{"load", out->load, NULL, false},
                                {"codebook-in", out->codebook_in, NULL, false},
                                {"classify", out->classify, NULL, false},
                                {0}};
    const option_path written[] = {{"save", out->save, "load", false},
                                   {"codebook-out", out->codebook_out, "codebook-in", false},
                                   {"predict", out->predict, NULL, false},
                                   {"metrics", out->metrics, NULL, false},
                                   {"export-c", out->export_c, NULL, false},
                                   {"export-glsl", out->export_glsl, NULL, false},
                                   {"checkpoint", out->checkpoint, NULL, true},
                                   {"curve", out->curve, NULL, false},
                                   {"contact-sheet", out->contact_sheet, NULL, false},
                                   {0}};
    for (const option_path *output = written; output->option; ++output)
        REQUIRE(output->path == NULL || path_writable(output->path));
    options_require(&options,
                    outputs_check(&(run_paths){&out->data.from, read, written, out->plot}));
    /* The library checks this too, but after the samples are loaded, and lets --overwrite replace
     * any file. */
    REQUIRE(out->checkpoint == NULL || out->resume || !distributed_is_first(out->processes) ||
            checkpoint_may_begin(out->checkpoint, out->overwrite));
    REQUIRE(
        out->curve == NULL || !plot_is_picture(out->curve) || gnuplot_is_installed() ||
        refuse("gnuplot draws --curve %s, but it is not installed: apt-get install gnuplot-nox, "
               "or give a name that ends in .csv",
               out->curve));
    REQUIRE(out->plot == NULL || folder_create(out->plot));
    for (const option_path *input = read; input->option; ++input)
        REQUIRE(input->path == NULL || path_readable(input->path));
}
