#include "settings.h"

#include <stdlib.h>

#include "common/failure.h"
#include "common/folder.h"
#include "outputs.h"
#include "watch.h"

/* The option parser writes an int into fields of these types. */
_Static_assert(sizeof(glnn_activation) == sizeof(int), "enumerations are as wide as int");

static const option_choice activations[] = {{"relu", GLNN_ACTIVATION_RELU},
                                            {"leaky_relu", GLNN_ACTIVATION_LEAKY_RELU},
                                            {"sigmoid", GLNN_ACTIVATION_SIGMOID},
                                            {"tanh", GLNN_ACTIVATION_TANH},
                                            {"scaled_tanh", GLNN_ACTIVATION_SCALED_TANH},
                                            {"identity", GLNN_ACTIVATION_IDENTITY},
                                            {0}};
static const option_choice losses[] = {
    {"cross-entropy", GLNN_LOSS_CROSS_ENTROPY}, {"squared", GLNN_LOSS_SQUARED}, {0}};
static const option_choice inits[] = {{"auto", GLNN_INIT_AUTO},
                                      {"glorot", GLNN_INIT_GLOROT},
                                      {"he", GLNN_INIT_HE},
                                      {"uniform", GLNN_INIT_UNIFORM},
                                      {0}};
static const option_choice optimizers[] = {{"sgd", GLNN_OPTIMIZER_SGD},
                                           {"nesterov", GLNN_OPTIMIZER_NESTEROV},
                                           {"adam", GLNN_OPTIMIZER_ADAM},
                                           {0}};
static const option_choice precisions[] = {
    {"float32", GLNN_PRECISION_FLOAT32}, {"mixed", GLNN_PRECISION_MIXED}, {0}};

/* The rows that are asked about by name below. */
enum {
    HIDDEN = DATA_ROWS_END + 1,
    ACTIVATION,
    LOSS,
    INIT,
    EPOCHS = INIT + 2,
    BATCH,
    RATE,
    OPTIMIZER,
    MOMENTUM,
    DECAY,
    SCHEDULE,
    PATIENCE,
    RESTORE_BEST,
    SEED
};

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    DATA_ROWS(settings, data),

    {.help = "Network"},
    [HIDDEN] = {"hidden", OPTION_LIST, FIELD(hidden), "N[,N...]", "128",
                "units of each hidden layer", .low = 1, .high = 65536},
    [ACTIVATION] = {"activation", OPTION_CHOICE, FIELD(activation), NULL, "relu",
                    "activation of the hidden units", .choices = activations},
    [LOSS] = {"loss", OPTION_CHOICE, FIELD(loss), NULL, "cross-entropy",
              "what is minimised. squared gives classes sigmoid outputs; --target always has "
              "squared, with "
              "identity outputs",
              .choices = losses},
    [INIT] = {"init", OPTION_CHOICE, FIELD(init), NULL, "auto", "initial weights",
              .choices = inits},

    {.help = "Training"},
    [EPOCHS] = {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "10",
                "passes over the training samples", .low = 1, .high = 1000000},
    [BATCH] = {"batch", OPTION_INTEGER, FIELD(batch), "N", "128",
               "samples a step; 1: per sample; more than there are: full batch; with squared 16 "
               "unless given",
               .low = 1, .high = 1000000000},
    [RATE] = {"rate", OPTION_NUMBER, FIELD(rate), "R", "0.1",
              "initial learning rate. Unless given: 0.1; with adam 0.001; with squared 0.5; with "
              "--target "
              "0.01; with --load the library's choice",
              .high = 1000, .above = true},
    [OPTIMIZER] = {"optimizer", OPTION_CHOICE, FIELD(optimizer), NULL, "sgd", "how weights follow",
                   .choices = optimizers},
    [MOMENTUM] = {"momentum", OPTION_NUMBER, FIELD(momentum), "M", "0.9",
                  "share of the former step, for sgd and nesterov. Unless given: 0.9; with squared "
                  "for classes 0",
                  .high = 1, .below = true},
    [DECAY] = {"decay", OPTION_NUMBER, FIELD(decay), "D", "0", "weight decay", .high = 1},
    [SCHEDULE] = {"schedule", OPTION_CHOICE, FIELD(schedule), NULL, "cosine",
                  "the rate over time (step: a tenth after each third of the epochs)",
                  .choices = schedule_choices},
    [PATIENCE] =
        {"patience", OPTION_INTEGER, FIELD(patience), "N", "0",
         "stop after N epochs without a better validation loss; 0: never; needs --validation",
         .high = 1000000},
    [RESTORE_BEST] =
        {"restore-best", OPTION_FLAG, FIELD(restore_best), NULL, NULL,
         "end with the best epoch, by the loss of the --validation samples, else by that "
         "of training; "
         "the test samples are then measured only once, at the end"},
    [SEED] = {"seed", OPTION_SEED, FIELD(seed), "N", "1",
              "of the initial weights, the order of samples and those kept apart"},

    DEVICE_ROWS(settings, on),
    {"precision", OPTION_CHOICE, FIELD(precision), NULL, "float32",
     "mixed: what products read is stored in 16 bits, weights and sums in 32",
     .choices = precisions},

    {.help = "Files"},
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL,
     "write the network, its classes or targets and how its samples are prepared, as safetensors"},
    {"load", OPTION_TEXT, FIELD(load), "FILE", NULL,
     "start from a network that --save wrote: it is measured, and trained further where --epochs "
     "is given"},
    {"predict", OPTION_TEXT, FIELD(predict), "FILE", NULL,
     "write the class or the targets of each test sample, a line each"},
    {"classify", OPTION_TEXT, FIELD(classify), "FILE", NULL,
     "classify a PNG or the images of an IDX file; with --load and no other use for samples none "
     "are read"},
    {"plot", OPTION_TEXT, FIELD(plot), "DIR", NULL,
     "write curves, confusion matrix and, of images, first-layer weights as CSV and PNG"},
};

_Static_assert(sizeof rows / sizeof rows[0] <= SETTINGS_ROWS_MAX,
               "settings.given has an entry per row");

/* A network that is loaded brings its own description, so options that say another are refused. */
static bool check_load(const settings *from)
{
    static const int described[] = {HIDDEN, ACTIVATION, LOSS, INIT, OPTIMIZER, MOMENTUM, DECAY};
    for (size_t i = 0; from->load && i < sizeof described / sizeof described[0]; ++i) {
        if (from->given[described[i]])
            return refuse("%s of --load already fixes --%s; leave the option out", from->load,
                          rows[described[i]].name);
    }
    return true;
}

/* Sigmoid units under squared error saturate at the rates that suit cross-entropy; identity units
 * run away at them. */
static void choose_rates(settings *out)
{
    const bool adam = out->optimizer == GLNN_OPTIMIZER_ADAM;
    const bool squared = out->loss == GLNN_LOSS_SQUARED, targets = settings_learn_targets(out);
    if ((adam || (squared && !targets)) && !out->given[MOMENTUM])
        out->momentum = 0.0f;
    /* What is loaded was made with other options than these. */
    if (!out->given[RATE] && out->load)
        out->rate = 0.0f;
    else if (!out->given[RATE] && (adam || squared))
        out->rate = adam ? 0.001f : targets ? 0.01f : 0.5f;
    if (squared && !adam && !out->given[BATCH])
        out->batch = 16;
}

static bool check_training(const settings *from)
{
    if (from->patience > 0 && !(from->data.validation > 0.0f))
        return refuse("--patience %d: it needs --validation, because stopping by the test samples "
                      "would spoil the test",
                      from->patience);
    if (from->optimizer == GLNN_OPTIMIZER_ADAM && from->given[MOMENTUM])
        return refuse("--momentum and --optimizer adam: momentum is for sgd and nesterov");
    if (settings_learn_targets(from) && from->given[LOSS] && from->loss != GLNN_LOSS_SQUARED)
        return refuse("--target and --loss cross-entropy: numbers are learnt with squared");
    return true;
}

/* What only a training needs. */
static bool check_measured(const settings *from)
{
    static const int rows_of[] = {DATA_HOLDOUT, DATA_VALIDATION, BATCH,        RATE,
                                  SCHEDULE,     PATIENCE,        RESTORE_BEST, SEED};
    return from->train || data_options_check_measured(rows, from->given, rows_of,
                                                      sizeof rows_of / sizeof rows_of[0], "load");
}

bool settings_learn_targets(const settings *of)
{
    return of->data.from.format.targets != NULL;
}

static bool finish(void *into)
{
    settings *out = into;
    if (!check_training(out))
        return false;
    if (settings_learn_targets(out))
        out->loss = GLNN_LOSS_SQUARED;
    choose_rates(out);
    out->train = out->load == NULL || out->given[EPOCHS];
    out->needs_data = out->train || out->classify == NULL || out->predict || out->given[DATA_DATA];
    out->restore_best = out->restore_best || out->data.validation > 0.0f;
    out->data.from.seed = out->seed;
    out->data.from.holdout_asked = out->given[DATA_HOLDOUT];
    out->data.from.test_only = !out->train;
    return check_load(out) && check_measured(out) &&
           data_options_check(&out->data, out->given, out->load, out->predict) &&
           (!out->needs_data || data_options_check_brought(&out->data, out->load));
}

option_table settings_table(const char *program)
{
    return (option_table){.program = program,
                          .summary =
                              "Trains a network on MNIST or on samples of your own, by fragment "
                              "shaders.",
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
    device_list(&out->on);
    const option_path read[] = {{"load", out->load, NULL}, {"classify", out->classify, NULL}, {0}};
    const option_path written[] = {
        {"save", out->save, "load"}, {"predict", out->predict, NULL}, {0}};
    for (const option_path *output = written; output->option; ++output)
        REQUIRE(output->path == NULL || path_writable(output->path));
    options_require(&options,
                    outputs_check(&(run_paths){&out->data.from, read, written, out->plot}));
    REQUIRE(out->plot == NULL || folder_create(out->plot));
    REQUIRE(out->classify == NULL || path_readable(out->classify));
    REQUIRE(out->load == NULL || path_readable(out->load));
}
