#include "lvq_settings.h"

#include "common/failure.h"
#include "common/folder.h"
#include "outputs.h"
#include "watch.h"

/* The option parser writes an int into fields of these types. */
_Static_assert(sizeof(glnn_lvq_init) == sizeof(int) && sizeof(glnn_covariance) == sizeof(int) &&
                   sizeof(glnn_search) == sizeof(int),
               "enumerations are as wide as int");

static const option_choice learners[] = {{"lvq1", GLNN_LVQ_LVQ1},
                                         {"olvq1", GLNN_LVQ_OLVQ1},
                                         {"lvq2.1", GLNN_LVQ_LVQ21},
                                         {"lvq3", GLNN_LVQ_LVQ3},
                                         {"glvq", GLNN_LVQ_GLVQ},
                                         {"grlvq", GLNN_LVQ_GRLVQ},
                                         {"gmlvq", GLNN_LVQ_GMLVQ},
                                         {"rslvq", GLNN_LVQ_RSLVQ},
                                         {"kmeans", LEARNER_KMEANS},
                                         {"gmm", LEARNER_GMM},
                                         {0}};
static const option_choice inits[] = {{"auto", GLNN_LVQ_INIT_AUTO},
                                      {"means", GLNN_LVQ_INIT_MEANS},
                                      {"kmeans", GLNN_LVQ_INIT_KMEANS},
                                      {"samples", GLNN_LVQ_INIT_SAMPLES},
                                      {0}};
static const option_choice searches[] = {{"auto", GLNN_SEARCH_AUTO},
                                         {"tiles", GLNN_SEARCH_TILES},
                                         {"reduction", GLNN_SEARCH_REDUCTION},
                                         {"fused", GLNN_SEARCH_FUSED},
                                         {0}};
static const option_choice covariances[] = {{"full", GLNN_COVARIANCE_FULL},
                                            {"diagonal", GLNN_COVARIANCE_DIAGONAL},
                                            {"spherical", GLNN_COVARIANCE_SPHERICAL},
                                            {0}};

/* The rows that are asked about by name below. */
enum {
    LEARNER = DATA_ROWS_END + 1,
    PROTOTYPES,
    INIT,
    XI,
    WINDOW,
    EPSILON,
    SIGMA,
    RANK,
    COVARIANCE,
    VARIANCE_FLOOR,
    SEARCH,
    EPOCHS = SEARCH + 2,
    BATCH,
    RATE,
    SCHEDULE,
    RESTORE_BEST,
    SEED
};

#define FIELD(member) .field = offsetof(lvq_settings, member)

static const option_row rows[] = {
    DATA_ROWS(lvq_settings, data),

    {.help = "Learner"},
    [LEARNER] = {"learner", OPTION_CHOICE, FIELD(learner), NULL, "glvq",
                 "how prototypes learn, or k-means or a mixture of Gaussians within each class",
                 .choices = learners},
    [PROTOTYPES] = {"prototypes", OPTION_INTEGER, FIELD(prototypes), "N", "1",
                    "prototypes, centres or components of each class", .low = 1, .high = 1000000},
    [INIT] =
        {"init", OPTION_CHOICE, FIELD(init), NULL, "auto",
         "where prototypes start: the means of their classes, k-means within each, or samples; "
         "of kmeans by distances or samples; auto: by the learner",
         .choices = inits},
    [XI] = {"xi", OPTION_NUMBER, FIELD(xi), "XI", NULL,
            "glvq, grlvq, gmlvq: steepness of the loss; 0: 20", .high = 1e6},
    [WINDOW] = {"window", OPTION_NUMBER, FIELD(window), "W", NULL,
                "lvq2.1, lvq3: width of the window around the border between two classes in which "
                "samples teach; 0: 0.3",
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
    [COVARIANCE] = {"covariance", OPTION_CHOICE, FIELD(covariance), NULL, "full",
                    "of each component of gmm", .choices = covariances},
    [VARIANCE_FLOOR] = {"variance-floor", OPTION_NUMBER, FIELD(variance_floor), "V", NULL,
                        "gmm: least variance of a component, as a share of the features' mean "
                        "variance, from 1e-6 to 0.5; 0: the library's choice",
                        .high = 0.5},
    [SEARCH] =
        {"search", OPTION_CHOICE, FIELD(search), NULL, "auto",
         "how the nearest prototypes are found; changes speed and memory, not what is learnt",
         .choices = searches},

    {.help = "Training"},
    [EPOCHS] = {"epochs", OPTION_INTEGER, FIELD(epochs), "N", NULL,
                "passes over the training samples: 10 unless given; with kmeans and gmm at most "
                "100, until they gain nothing",
                .low = 1, .high = 1000000},
    [BATCH] = {"batch", OPTION_INTEGER, FIELD(batch), "N", NULL,
               "samples a step; 1: per sample; 128 unless given, with kmeans all of them", .low = 1,
               .high = 1000000000},
    [RATE] = {"rate", OPTION_NUMBER, FIELD(rate), "R", NULL,
              "initial learning rate; 0: the library's choice", .high = 1000},
    [SCHEDULE] = {"schedule", OPTION_CHOICE, FIELD(schedule), NULL, "linear",
                  "the rate over time (step: a tenth after each third of the epochs)",
                  .choices = schedule_choices},
    [RESTORE_BEST] =
        {"restore-best", OPTION_FLAG, FIELD(restore_best), NULL, NULL,
         "end with the best epoch, by the loss of the --validation samples, else by that "
         "of training; "
         "the test samples are then measured only once, at the end"},
    [SEED] = {"seed", OPTION_SEED, FIELD(seed), "N", "1",
              "of the first prototypes, the order of samples and those kept apart"},

    DEVICE_ROWS(lvq_settings, on),

    {.help = "Files"},
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL,
     "write the classifier, its classes and how its samples are prepared, as safetensors"},
    {"load", OPTION_TEXT, FIELD(load), "FILE", NULL,
     "start from a classifier that --save wrote: it is tested, and trained further where --epochs "
     "is given"},
    {"codebook-in", OPTION_TEXT, FIELD(codebook_in), "FILE", NULL,
     "start from prototypes as text, in the format of LVQ_PAK: they are tested, and trained where "
     "--epochs is given"},
    {"codebook-out", OPTION_TEXT, FIELD(codebook_out), "FILE", NULL,
     "write the prototypes so, without a learnt metric"},
    {"predict", OPTION_TEXT, FIELD(predict), "FILE", NULL,
     "write the class of each test sample, a line each"},
    {"plot", OPTION_TEXT, FIELD(plot), "DIR", NULL,
     "write curves, confusion matrix and, of images, prototypes as CSV and PNG"},
};

_Static_assert(sizeof rows / sizeof rows[0] <= LVQ_SETTINGS_ROWS_MAX,
               "lvq_settings.given has an entry per row");

const char *learner_name(int learner)
{
    for (const option_choice *choice = learners; choice->name; ++choice)
        if (choice->value == learner)
            return choice->name;
    return "unknown";
}

/* A classifier that is loaded brings its own description, so options that say another are
 * refused. */
static bool check_load(const lvq_settings *from)
{
    static const int described[] = {LEARNER,    PROTOTYPES,     INIT,  XI,
                                    WINDOW,     EPSILON,        SIGMA, RANK,
                                    COVARIANCE, VARIANCE_FLOOR, SEARCH};
    for (size_t i = 0; from->load && i < sizeof described / sizeof described[0]; ++i)
        if (from->given[described[i]])
            return refuse("%s of --load already fixes --%s; leave the option out", from->load,
                          rows[described[i]].name);
    if (from->load && from->codebook_in)
        return refuse("--load and --codebook-in: one of them brings the prototypes");
    return true;
}

static bool check_codebook(const lvq_settings *from)
{
    if (from->codebook_in && from->learner >= GLNN_LVQ_KIND_COUNT)
        return refuse("--codebook-in and --learner %s: it starts from samples",
                      learner_name(from->learner));
    if (from->codebook_in && from->given[PROTOTYPES])
        return refuse("--codebook-in and --prototypes: the file says how many there are");
    if (from->codebook_in && from->given[INIT])
        return refuse("--codebook-in and --init: the file says where prototypes start");
    if (from->codebook_out && from->learner == LEARNER_GMM && !from->load)
        return refuse("--codebook-out and --learner gmm: a mixture is not a codebook");
    if (from->codebook_in && !from->train &&
        (from->data.pca > 0 || from->data.lda > 0 || from->data.standardise))
        return refuse("--codebook-in with --pca, --lda or --standardise needs --epochs: these come "
                      "from training samples");
    return true;
}

/* What only a training needs. */
static bool check_measured(const lvq_settings *from)
{
    static const int rows_of[] = {DATA_HOLDOUT, DATA_VALIDATION, BATCH, RATE,
                                  SCHEDULE,     RESTORE_BEST,    SEED};
    return from->train || data_options_check_measured(rows, from->given, rows_of,
                                                      sizeof rows_of / sizeof rows_of[0],
                                                      from->load ? "load" : "codebook-in");
}

/* The options that belong to some learners only. */
static bool check_learner(const lvq_settings *from)
{
#define KIND(kind) (1u << (kind))
    static const unsigned gradients =
        KIND(GLNN_LVQ_GLVQ) | KIND(GLNN_LVQ_GRLVQ) | KIND(GLNN_LVQ_GMLVQ);
    static const unsigned lvq = KIND(GLNN_LVQ_KIND_COUNT) - 1;
    const struct {
        int row;
        unsigned learners;
        const char *reason; /* why others cannot use it; NULL: it is part of a method */
    } of_some[] = {
        {INIT, lvq | KIND(LEARNER_KMEANS), "it starts from k-means"},
        {XI, gradients, NULL},
        {WINDOW, KIND(GLNN_LVQ_LVQ21) | KIND(GLNN_LVQ_LVQ3), NULL},
        {EPSILON, KIND(GLNN_LVQ_LVQ3), NULL},
        {SIGMA, KIND(GLNN_LVQ_RSLVQ), NULL},
        {RANK, KIND(GLNN_LVQ_GMLVQ), NULL},
        {COVARIANCE, KIND(LEARNER_GMM), NULL},
        {VARIANCE_FLOOR, KIND(LEARNER_GMM), NULL},
        {SEARCH, lvq | KIND(LEARNER_KMEANS), "it weighs all components"},
        {BATCH, lvq | KIND(LEARNER_KMEANS), "it reads all samples at once"},
        {RATE, lvq, "its steps have no rate"},
        {SCHEDULE, lvq, "its steps have no rate"},
    };
#undef KIND
    for (size_t i = 0; !from->load && i < sizeof of_some / sizeof of_some[0]; ++i)
        if (from->given[of_some[i].row] && !(of_some[i].learners >> from->learner & 1u))
            return refuse("%s does not use --%s%s%s", learner_name(from->learner),
                          rows[of_some[i].row].name, of_some[i].reason ? "; " : "",
                          of_some[i].reason ? of_some[i].reason : "");
    if (from->learner == LEARNER_KMEANS &&
        (from->init == GLNN_LVQ_INIT_MEANS || from->init == GLNN_LVQ_INIT_KMEANS))
        return refuse("--init and --learner kmeans: choose auto or samples");
    if (from->data.from.format.targets)
        return refuse("--target %s: prototypes learn classes; mnist_network learns numbers",
                      from->data.from.format.targets);
    return true;
}

static bool finish(void *into)
{
    lvq_settings *out = into;
    bool brought = out->load || out->codebook_in;
    out->train = !brought || out->given[EPOCHS];
    out->restore_best = out->restore_best || out->data.validation > 0.0f;
    out->data.from.seed = out->seed;
    out->data.from.holdout_asked = out->given[DATA_HOLDOUT];
    out->data.from.test_only = !out->train;
    return check_load(out) && check_codebook(out) && check_learner(out) && check_measured(out) &&
           data_options_check(&out->data, out->given, out->load, out->predict) &&
           data_options_check_brought(&out->data, out->load);
}

option_table lvq_settings_table(const char *program)
{
    return (option_table){
        .program = program,
        .summary = "Trains and tests classifiers made of prototypes, by fragment shaders.",
        .rows = rows,
        .count = (int)(sizeof rows / sizeof rows[0]),
        .size = sizeof(lvq_settings),
        .given = offsetof(lvq_settings, given),
        .check = finish};
}

void lvq_settings_read(int argc, char **argv, lvq_settings *out)
{
    const option_table options = lvq_settings_table(argv[0]);
    options_read(&options, argc, argv, out);
    device_list(&out->on);
    const option_path read[] = {
        {"load", out->load, NULL}, {"codebook-in", out->codebook_in, NULL}, {0}};
    const option_path written[] = {{"save", out->save, "load"},
                                   {"codebook-out", out->codebook_out, "codebook-in"},
                                   {"predict", out->predict, NULL},
                                   {0}};
    for (const option_path *output = written; output->option; ++output)
        REQUIRE(output->path == NULL || path_writable(output->path));
    options_require(&options,
                    outputs_check(&(run_paths){&out->data.from, read, written, out->plot}));
    REQUIRE(out->plot == NULL || folder_create(out->plot));
    REQUIRE(out->load == NULL || path_readable(out->load));
    REQUIRE(out->codebook_in == NULL || path_readable(out->codebook_in));
}
