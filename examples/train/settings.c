#include "settings.h"

#include <stdlib.h>

#include "common/device.h"
#include "common/failure.h"
#include "common/folder.h"
#include "outputs.h"

/* The rows that are asked about by number below. */
enum {
    LEARNER = DATA_ROWS_END + 1,
    HIDDEN = LEARNER + 2,
    ACTIVATION,
    LOSS,
    WEIGHTS,
    OPTIMIZER,
    MOMENTUM,
    DECAY,
    PRECISION,
    PROTOTYPES = PRECISION + 2,
    INIT,
    XI,
    WINDOW,
    EPSILON,
    SIGMA,
    RANK,
    SEARCH,
    COVARIANCE,
    VARIANCE_FLOOR,
    EPOCHS = VARIANCE_FLOOR + 2,
    BATCH,
    RATE,
    SCHEDULE,
    PATIENCE,
    RESTORE_BEST,
    SEED,
    CHECKPOINT,
    EVERY,
    RESUME
};

OPTION_NAMES(activation)
OPTION_NAMES(precision)
OPTION_NAMES(search)
OPTION_NAMES(covariance)
OPTION_NAMES(stage)
OPTION_NAMES(layout)
OPTION_NAMES(platform)
OPTION_NAMES(lvq_init)
OPTION_NAMES(schedule_kind)
OPTION_NAMES(optimizer_kind)
OPTION_NAMES(init)
OPTION_NAMES(loss)
OPTION_NAMES(csv_header)
OPTION_NAMES(csv_missing)

#define FIELD(member)            .field = offsetof(settings, member)
#define NAMES(noun, first, last) .low = first, .high = last, .name_of = option_##noun

static const option_row rows[] = {
    DATA_ROWS(settings, data),

    {.help = "Learner"},
    [LEARNER] = {"learner", OPTION_CHOICE, FIELD(learner), NULL, "network",
                 "a network; prototypes of the LVQ family; k-means or a mixture of Gaussians "
                 "within each class",
                 .high = LEARNER_LVQ + GLNN_LVQ_KIND_COUNT - 1, .name_of = learner_name},

    {.help = "Networks"},
    [HIDDEN] = {"hidden", OPTION_LIST, FIELD(hidden), "N[,N...]", "128",
                "units of each hidden layer", .low = 1, .high = 65536},
    [ACTIVATION] = {"activation", OPTION_CHOICE, FIELD(activation), NULL, "relu",
                    "activation of the hidden units",
                    NAMES(activation, GLNN_ACTIVATION_DEFAULT + 1, GLNN_ACTIVATION_COUNT - 1)},
    [LOSS] = {"loss", OPTION_CHOICE, FIELD(loss), NULL, "cross_entropy",
              "the loss to minimise. With squared, outputs of classes are sigmoid units; --target "
              "needs squared, and its outputs are identity units",
              NAMES(loss, 0, GLNN_LOSS_COUNT - 1)},
    [WEIGHTS] = {"weights", OPTION_CHOICE, FIELD(weights), NULL, "auto",
                 "random numbers that weights start from", NAMES(init, 0, GLNN_INIT_COUNT - 1)},
    [OPTIMIZER] = {"optimizer", OPTION_CHOICE, FIELD(optimizer), NULL, "sgd",
                   "the method that changes the weights",
                   NAMES(optimizer_kind, 0, GLNN_OPTIMIZER_COUNT - 1)},
    [MOMENTUM] = {"momentum", OPTION_NUMBER, FIELD(momentum), "M", "0.9",
                  "share of the former step, for sgd and nesterov. Unless given: 0.9; with squared "
                  "for classes 0",
                  .high = 1, .below = true},
    [DECAY] = {"decay", OPTION_NUMBER, FIELD(decay), "D", "0", "weight decay", .high = 1},
    [PRECISION] = {"precision", OPTION_CHOICE, FIELD(precision), NULL, "float32",
                   "mixed: operands of products in 16 bits, weights and sums in 32",
                   NAMES(precision, 0, GLNN_PRECISION_COUNT - 1)},

    {.help = "Prototypes, k-means and mixtures"},
    [PROTOTYPES] = {"prototypes", OPTION_INTEGER, FIELD(prototypes), "N", "1",
                    "prototypes, centres or components of each class", .low = 1, .high = 1000000},
    [INIT] = {"init", OPTION_CHOICE, FIELD(init), NULL, "auto",
              "where prototypes start: the means of their classes, k-means within each, or "
              "samples; k-means: auto or samples",
              NAMES(lvq_init, 0, GLNN_LVQ_INIT_COUNT - 1)},
    [XI] = {"xi", OPTION_NUMBER, FIELD(xi), "XI", NULL,
            "glvq, grlvq, gmlvq: steepness of the loss; 0: 20", .high = 1e6},
    [WINDOW] = {"window", OPTION_NUMBER, FIELD(window), "W", NULL,
                "lvq2.1, lvq3: width of the window around the border between two classes; only "
                "samples in it teach; 0: 0.3",
                .high = 1, .below = true},
    [EPSILON] = {"epsilon", OPTION_NUMBER, FIELD(epsilon), "E", NULL,
                 "lvq3: share of the rate for two prototypes of the right class; 0: 0.2",
                 .high = 1},
    [SIGMA] = {"sigma", OPTION_NUMBER, FIELD(sigma), "S", NULL,
               "rslvq: deviation of a prototype's Gaussian; 0: an eighth of the root mean squared "
               "distance of samples from their mean",
               .high = 1e30},
    [RANK] = {"rank", OPTION_INTEGER, FIELD(rank), "N", NULL,
              "gmlvq: rows of Omega; 0: as many as features", .high = 65536},
    [SEARCH] = {"search", OPTION_CHOICE, FIELD(search), NULL, "auto",
                "the way to find the nearest prototypes; changes speed and memory, not results",
                NAMES(search, 0, GLNN_SEARCH_COUNT - 1)},
    [COVARIANCE] = {"covariance", OPTION_CHOICE, FIELD(covariance), NULL, "full",
                    "of each component of gmm", NAMES(covariance, 0, GLNN_COVARIANCE_COUNT - 1)},
    [VARIANCE_FLOOR] = {"variance-floor", OPTION_NUMBER, FIELD(variance_floor), "V", NULL,
                        "gmm: least variance of a component, as a share of the features' mean "
                        "variance, from 1e-6 to 0.5; 0: the library's choice",
                        .high = 0.5},

    {.help = "Training"},
    [EPOCHS] = {"epochs", OPTION_INTEGER, FIELD(epochs), "N", NULL,
                "passes over the training samples. Unless given: 10; kmeans and gmm: at most 100, "
                "until they gain nothing",
                .low = 1, .high = 1000000},
    [BATCH] = {"batch", OPTION_INTEGER, FIELD(batch), "N", NULL,
               "samples a step; 1: per sample; more than there are: all. Unless given: 128; "
               "networks with squared loss: 16; kmeans: all",
               .low = 1, .high = 1000000000},
    [RATE] = {"rate", OPTION_NUMBER, FIELD(rate), "R", NULL,
              "initial learning rate. Unless given: networks 0.1, with adam 0.001, with squared "
              "loss 0.5, with --target 0.01; with --load, and for prototypes, the library's choice",
              .high = 1000, .above = true},
    [SCHEDULE] = {"schedule", OPTION_CHOICE, FIELD(schedule), NULL, NULL,
                  "the rate over time (step: a tenth after each third of the epochs). Unless "
                  "given: networks cosine, prototypes linear",
                  NAMES(schedule_kind, 0, GLNN_SCHEDULE_COUNT - 1)},
    [PATIENCE] = {"patience", OPTION_INTEGER, FIELD(patience), "N", "0",
                  "stop after N epochs without a better validation loss; 0: never; needs "
                  "--validation",
                  .high = 1000000},
    [RESTORE_BEST] = {"restore-best", OPTION_FLAG, FIELD(restore_best), NULL, NULL,
                      "end with the best epoch, by the loss of the --validation samples, or "
                      "without them by that of training; "
                      "the test samples are then measured only once, at the end"},
    [SEED] = {"seed", OPTION_SEED, FIELD(seed), "N", "1",
              "of random starts, the order of samples and those kept apart"},
    [CHECKPOINT] = {"checkpoint", OPTION_TEXT, FIELD(checkpoint), "FILE", NULL,
                    "save checkpoints, from which --resume continues after the program has ended, "
                    "was interrupted or was killed; the one before the last is FILE.1"},
    [EVERY] = {"every", OPTION_INTEGER, FIELD(every), "N", "0",
               "steps between two checkpoints; 0: one at the end of each epoch",
               .high = 1000000000},
    [RESUME] = {"resume", OPTION_FLAG, FIELD(resume), NULL, NULL,
                "continue from the --checkpoint if there is one; the other options must be those "
                "of the former run"},

    {.help = "Files"},
    {"classify", OPTION_TEXT, FIELD(classify), "FILE", NULL,
     "classify a PNG or the images of an IDX file; with --load and no other use for "
     "samples none are read"},
    {"predict", OPTION_TEXT, FIELD(predict), "FILE", NULL,
     "write the class or the targets of each test sample, a line each"},
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL,
     "write the model, its classes or targets and the scale of its samples, as safetensors"},
    {"load", OPTION_TEXT, FIELD(load), "FILE", NULL,
     "start from a model that --save wrote: it is measured, and trained further if --epochs is "
     "given"},
    {"codebook-in", OPTION_TEXT, FIELD(codebook_in), "FILE", NULL,
     "start from prototypes as text, in the format of LVQ_PAK: they are measured, and trained if "
     "--epochs is given"},
    {"codebook-out", OPTION_TEXT, FIELD(codebook_out), "FILE", NULL,
     "write the prototypes in this format, without a learnt metric"},
    {"plot", OPTION_TEXT, FIELD(plot), "DIR", NULL,
     "draw curve, confusion matrix and, of images, weights or prototypes, as CSV and PNG"},

    {.help = "Device"},
    {"stage", OPTION_CHOICE, FIELD(stage), NULL, NULL,
     "the shaders that compute; auto: the faster ones. Unless given: $GLNN_STAGE, or fragment",
     NAMES(stage, GLNN_STAGE_FRAGMENT, GLNN_STAGE_AUTO)},
    {"layout", OPTION_CHOICE, FIELD(layout), NULL, "auto",
     "the way matrices lie in textures; auto: the faster of tiled and packed",
     NAMES(layout, GLNN_LAYOUT_AUTO, GLNN_LAYOUT_UNPACKED)},
    {"platform", OPTION_CHOICE, FIELD(platform), NULL, "egl", "headless, or a hidden window",
     NAMES(platform, GLNN_PLATFORM_EGL, GLNN_PLATFORM_GLFW)},
    {"device", OPTION_INTEGER, FIELD(device), "N", "0", "EGL device by its number", .high = 1023},
    {"list-devices", OPTION_FLAG, FIELD(list_devices), NULL, NULL, "list the EGL devices and end"},
};

_Static_assert(sizeof rows / sizeof rows[0] <= SETTINGS_ROWS_MAX,
               "settings.given has an entry per row");

const char *learner_name(int learner)
{
    static const char *const names[] = {"network", "kmeans", "gmm"};
    return learner < LEARNER_LVQ ? names[learner]
                                 : glnn_lvq_kind_name((glnn_lvq_kind)(learner - LEARNER_LVQ));
}

bool settings_learn_targets(const settings *of)
{
    return of->data.from.format.targets != NULL;
}

/* Learners as the bits of a set. */
#define ONE(learner) (1u << (learner))
#define LVQ(kind)    ONE(LEARNER_LVQ + GLNN_LVQ_##kind)

enum { NETWORK = ONE(LEARNER_NETWORK), KMEANS = ONE(LEARNER_KMEANS), GMM = ONE(LEARNER_GMM) };
static const unsigned lvq = ~(unsigned)(NETWORK | KMEANS | GMM);
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
        {ACTIVATION, NETWORK, NULL},
        {LOSS, NETWORK, NULL},
        {WEIGHTS, NETWORK, NULL},
        {OPTIMIZER, NETWORK, NULL},
        {MOMENTUM, NETWORK, NULL},
        {DECAY, NETWORK, NULL},
        {PRECISION, NETWORK, NULL},
        {DATA_TARGET, NETWORK, "it learns classes; a network also learns numbers"},
        {PROTOTYPES, ~(unsigned)NETWORK, NULL},
        {INIT, lvq | KMEANS, learner == LEARNER_GMM ? "it starts from k-means" : NULL},
        {XI, by_gradient, NULL},
        {WINDOW, LVQ(LVQ21) | LVQ(LVQ3), NULL},
        {EPSILON, LVQ(LVQ3), NULL},
        {SIGMA, LVQ(RSLVQ), NULL},
        {RANK, LVQ(GMLVQ), NULL},
        {SEARCH, lvq | KMEANS, learner == LEARNER_GMM ? "it weighs all components" : NULL},
        {COVARIANCE, GMM, NULL},
        {VARIANCE_FLOOR, GMM, NULL},
        {BATCH, NETWORK | lvq | KMEANS, "it reads all samples at once"},
        {RATE, NETWORK | lvq, "its steps have no rate"},
        {SCHEDULE, NETWORK | lvq, "its steps have no rate"},
        {PATIENCE, NETWORK | lvq, "it ends by itself"},
    };
    for (size_t i = 0; i < sizeof of_some / sizeof of_some[0]; ++i)
        if (from->given[of_some[i].row] && !(of_some[i].users >> learner & 1u))
            return refuse("%s does not use --%s%s%s", learner_name(learner),
                          rows[of_some[i].row].name, of_some[i].reason ? "; " : "",
                          of_some[i].reason ? of_some[i].reason : "");
    if (from->codebook_out && learner == LEARNER_NETWORK)
        return refuse("--codebook-out %s: a network has no prototypes", from->codebook_out);
    return learner != LEARNER_KMEANS || from->init == GLNN_LVQ_INIT_AUTO ||
           from->init == GLNN_LVQ_INIT_SAMPLES ||
           refuse("--init and --learner kmeans: choose auto or samples");
}

/* A model that is loaded brings its own description. */
static bool check_load(const settings *from)
{
    static const int described[] = {LEARNER,   HIDDEN,     ACTIVATION,    LOSS,       WEIGHTS,
                                    OPTIMIZER, MOMENTUM,   DECAY,         PROTOTYPES, INIT,
                                    XI,        WINDOW,     SIGMA,         EPSILON,    RANK,
                                    SEARCH,    COVARIANCE, VARIANCE_FLOOR};
    for (size_t i = 0; from->load && i < sizeof described / sizeof described[0]; ++i)
        if (from->given[described[i]])
            return refuse("%s of --load already fixes --%s; leave the option out", from->load,
                          rows[described[i]].name);
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

static bool check_training(const settings *from)
{
    if (from->patience > 0 && !(from->data.validation > 0.0f))
        return refuse("--patience %d: it needs --validation, because stopping by the test samples "
                      "would spoil the test",
                      from->patience);
    if (!from->checkpoint && (from->resume || from->given[EVERY]))
        return refuse("--%s: it needs --checkpoint", from->resume ? "resume" : "every");
    if (from->optimizer == GLNN_OPTIMIZER_ADAM && from->given[MOMENTUM])
        return refuse("--momentum and --optimizer adam: momentum is for sgd and nesterov");
    return !settings_learn_targets(from) || !from->given[LOSS] || from->loss == GLNN_LOSS_SQUARED ||
           refuse("--target and --loss %s: numbers are learnt with %s", glnn_loss_name(from->loss),
                  glnn_loss_name(GLNN_LOSS_SQUARED));
}

/* Without a training its options have no effect. */
static bool check_measured(const settings *from)
{
    static const int of_training[] = {DATA_HOLDOUT, DATA_VALIDATION, BATCH, RATE,      SCHEDULE,
                                      PATIENCE,     RESTORE_BEST,    SEED,  CHECKPOINT};
    for (size_t i = 0; !from->train && i < sizeof of_training / sizeof of_training[0]; ++i)
        if (from->given[of_training[i]])
            return refuse("--%s and --%s: without --epochs nothing is trained, so --%s would have "
                          "no effect",
                          from->load ? "load" : "codebook-in", rows[of_training[i]].name,
                          rows[of_training[i]].name);
    return true;
}

static bool finish(void *into)
{
    settings *out = into;
    if (out->codebook_in && !out->given[LEARNER])
        out->learner = LEARNER_LVQ + GLNN_LVQ_GLVQ;
    out->train = (out->load == NULL && out->codebook_in == NULL) || out->given[EPOCHS];
    out->needs_data = out->train || out->classify == NULL || out->predict || out->given[DATA_DATA];
    out->restore_best = out->restore_best || out->data.validation > 0.0f;
    out->data.from.seed = out->seed;
    out->data.from.holdout_asked = out->given[DATA_HOLDOUT];
    out->data.from.test_only = !out->train;
    return check_load(out) && check_codebook(out) && check_training(out) &&
           (out->load || check_learner(out, out->learner)) && check_measured(out) &&
           data_options_check(&out->data, out->given, out->load, out->predict) &&
           (!out->needs_data || data_options_check_brought(&out->data, out->load));
}

/* Sigmoid units under squared error saturate at the rates that suit cross-entropy, and identity
 * units diverge at them. The optimizer of a loaded network is not known here. */
static void complete_network(settings *out)
{
    const bool adam = out->optimizer == GLNN_OPTIMIZER_ADAM, targets = settings_learn_targets(out);
    if (targets)
        out->loss = GLNN_LOSS_SQUARED;
    const bool squared = out->loss == GLNN_LOSS_SQUARED;
    if ((adam || (squared && !targets)) && !out->given[MOMENTUM])
        out->momentum = 0.0f;
    if (!out->given[RATE] && !out->load)
        out->rate = adam ? 0.001f : targets ? 0.01f : squared ? 0.5f : 0.1f;
    if (!out->given[BATCH])
        out->batch = squared && !adam ? 16 : 128;
}

void settings_complete(settings *with, int learner)
{
    REQUIRE(check_learner(with, learner));
    with->learner = learner;
    if (learner == LEARNER_NETWORK)
        complete_network(with);
    if (!with->given[EPOCHS] && learner != LEARNER_KMEANS && learner != LEARNER_GMM)
        with->epochs = 10;
    if (!with->given[SCHEDULE] && learner == LEARNER_NETWORK)
        with->schedule = GLNN_SCHEDULE_COSINE;
    if (!with->given[SCHEDULE] && learner >= LEARNER_LVQ)
        with->schedule = GLNN_SCHEDULE_LINEAR;
}

option_table settings_table(const char *program)
{
    return (option_table){.program = program,
                          .summary = "Trains a network, prototypes, k-means or mixtures of "
                                     "Gaussians on samples of your own,\nmeasures them, and "
                                     "predicts with them.",
                          .rows = rows,
                          .count = (int)(sizeof rows / sizeof rows[0]),
                          .size = sizeof(settings),
                          .given = offsetof(settings, given),
                          .check = finish};
}

void settings_read(int argc, char **argv, settings *out)
{
    const option_table options = settings_table(argv[0]);
    options_read(&options, argc, argv, out);
    if (out->list_devices) {
        device_list();
        exit(output_status());
    }
    const option_path read[] = {{"load", out->load, NULL},
                                {"codebook-in", out->codebook_in, NULL},
                                {"classify", out->classify, NULL},
                                {0}};
    const option_path written[] = {{"save", out->save, "load"},
                                   {"codebook-out", out->codebook_out, "codebook-in"},
                                   {"predict", out->predict, NULL},
                                   {"checkpoint", out->checkpoint, NULL},
                                   {0}};
    for (const option_path *output = written; output->option; ++output)
        REQUIRE(output->path == NULL || path_writable(output->path));
    options_require(&options,
                    outputs_check(&(run_paths){&out->data.from, read, written, out->plot}));
    REQUIRE(out->plot == NULL || folder_create(out->plot));
    for (const option_path *input = read; input->option; ++input)
        REQUIRE(input->path == NULL || path_readable(input->path));
    if (!out->load)
        settings_complete(out, out->learner);
}
