/* The command line of the program train. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../examples/common/failure.h"
#include "../examples/train/settings.h"

enum { WORDS_MAX = 16 };

/* Parses words separated by blanks, as a shell would pass them. */
static bool parse_words(const char *line, settings *out, bool *help)
{
    static char text[512];
    char *words[WORDS_MAX] = {(char[]){"train"}};
    int count = 1;
    option_table options = settings_table("build/examples/train");
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return options_parse(&options, count, words, out, help);
}

/* The defaults are those of images, or of a table. */
static settings parsed_for(const char *line, bool is_table)
{
    settings result;
    bool help;
    if (!parse_words(line, &result, &help))
        fail_msg("%s: %s", line, failure());
    assert_false(help);
    if (result.load == NULL)
        settings_complete(&result, result.learner, is_table);
    return result;
}

static settings parsed(const char *line)
{
    return parsed_for(line, false);
}

/* The line is refused with a sentence that has all of these parts. */
static void refused(const char *line, const char *const parts[3])
{
    settings result;
    bool help;
    if (parse_words(line, &result, &help))
        fail_msg("'%s' was accepted", line);
    for (int i = 0; i < 3 && parts[i]; ++i)
        if (strstr(failure(), parts[i]) == NULL)
            fail_msg("'%s': \"%s\" lacks \"%s\"", line, failure(), parts[i]);
}

static void an_empty_command_line_gives_the_defaults(void **state)
{
    (void)state;
    settings with = parsed("");
    assert_null(with.data.from.data);
    assert_int_equal(with.hidden.count, 1);
    assert_int_equal(with.hidden.values[0], 128);
    assert_int_equal(with.activation, GLNN_ACTIVATION_RELU);
    assert_int_equal(with.loss, GLNN_LOSS_CROSS_ENTROPY);
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_SGD);
    assert_float_equal(with.momentum, 0.9f, 1e-7);
    assert_int_equal(with.batch, 0);
    assert_int_equal(with.epochs, 10);
    assert_int_equal(with.layout, GLNN_LAYOUT_AUTO);
    assert_int_equal(with.precision, GLNN_PRECISION_FLOAT32);
    assert_int_equal(with.seed, 1);
    assert_true(with.train && with.needs_data);
}

static void every_kind_of_value_is_read(void **state)
{
    (void)state;
    settings with = parsed("--hidden 300,100,7 --rate 1e-2 --loss=squared --activation scaled_tanh "
                           "--seed 18446744073709551615 --save /tmp/x --list-devices");
    assert_int_equal(with.hidden.count, 3);
    assert_int_equal(with.hidden.values[2], 7);
    assert_float_equal(with.rate, 0.01f, 1e-9);
    assert_int_equal(with.loss, GLNN_LOSS_SQUARED);
    assert_int_equal(with.activation, GLNN_ACTIVATION_SCALED_TANH);
    assert_true(with.seed == UINT64_MAX);
    assert_string_equal(with.save, "/tmp/x");
    assert_true(with.list_devices);
}

static void losses_of_numbers_learn_targets_and_classes(void **state)
{
    (void)state;
    settings with = parsed("--target y --data a.csv");
    assert_int_equal(with.loss, GLNN_LOSS_SQUARED);
    with = parsed("--target y --data a.csv --loss quantile --loss-parameter 0.9");
    assert_int_equal(with.loss, GLNN_LOSS_QUANTILE);
    assert_float_equal(with.loss_parameter, 0.9f, 1e-7);
    assert_float_equal(with.rate, 0.01f, 1e-9);
    assert_false(settings_have_sigmoids(&with));
    with = parsed("--loss expression --loss-value abs(y-t) --loss-derivative sign(y-t)");
    assert_string_equal(with.loss_value, "abs(y-t)");
    assert_string_equal(with.loss_derivative, "sign(y-t)");
    assert_float_equal(with.rate, 0.5f, 1e-9);
    assert_true(settings_have_sigmoids(&with));
    with = parsed("--loss hinge");
    assert_false(settings_have_sigmoids(&with));
}

static void numbers_are_learnt_with_adam_unless_there_is_another_optimizer(void **state)
{
    (void)state;
    settings with = parsed("--target y --data a.csv");
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_ADAM);
    assert_int_equal(with.batch, 32);
    with = parsed("--target y --data a.csv --momentum 0.8");
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_SGD);
    assert_int_equal(with.batch, 16);
    with = parsed("--target y --data a.csv --optimizer rprop");
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_RPROP);
}

static void tables_are_learnt_with_adam_unless_there_is_another_optimizer(void **state)
{
    (void)state;
    settings with = parsed_for("--data a.csv", true);
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_ADAM);
    assert_int_equal(with.weights, GLNN_INIT_GLOROT);
    assert_int_equal(with.batch, 32);
    assert_float_equal(with.rate, 0.01f, 1e-9);
    assert_float_equal(with.momentum, 0, 0);
    with = parsed_for("--data a.csv --weights he --batch 100 --rate 0.02", true);
    assert_int_equal(with.weights, GLNN_INIT_HE);
    assert_int_equal(with.batch, 100);
    assert_float_equal(with.rate, 0.02f, 1e-9);
    with = parsed_for("--data a.csv --momentum 0.8", true);
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_SGD);
    assert_int_equal(with.batch, 0);
    assert_float_equal(with.rate, 0.1f, 1e-9);
    with = parsed_for("--data a.csv --optimizer sgd --loss squared", true);
    assert_int_equal(with.batch, 16);
    assert_float_equal(with.rate, 0.5f, 1e-9);
    assert_float_equal(parsed_for("--data a.csv --learner svm", true).momentum, 0.9f, 1e-7);
    assert_float_equal(parsed("--learner svm").momentum, 0, 0);
    assert_float_equal(parsed("--learner svm --momentum 0.5").momentum, 0.5f, 1e-7);
}

static void no_hidden_units_make_a_linear_model(void **state)
{
    (void)state;
    assert_int_equal(parsed("--hidden 0").list.count, 0);
    assert_int_equal(parsed("--hidden 3").list.count, 1);
}

static int epochs_of(const char *line, int count)
{
    settings with = parsed(line);
    settings_choose_epochs(&with, count, false);
    return with.epochs;
}

static int epochs_of_table(const char *line, int count)
{
    settings with = parsed_for(line, true);
    settings_choose_epochs(&with, count, true);
    return with.epochs;
}

static void few_samples_have_more_epochs(void **state)
{
    (void)state;
    assert_int_equal(epochs_of("", 60000), 10);
    assert_int_equal(epochs_of("", 128 * 100), 20);
    assert_int_equal(epochs_of("--batch 1", 100), 20);
    assert_int_equal(epochs_of("--validation 0.5", 128 * 100), 40);
    assert_int_equal(epochs_of("", 10), 50);
    assert_int_equal(epochs_of("--learner glvq", 10), 50);
    assert_int_equal(epochs_of("--epochs 3", 10), 3);
    /* Those of a table are sooner overfitted. */
    assert_int_equal(epochs_of_table("", 10), 50);
    assert_int_equal(epochs_of_table("", 32 * 5), 40);
    assert_int_equal(epochs_of_table("--hidden 0", 32 * 100), 20);
    assert_int_equal(epochs_of_table("", 60000), 12);
    assert_int_equal(epochs_of_table("--optimizer sgd", 128 * 100), 20);
    assert_int_equal(epochs_of_table("--target y --data a.csv", 32 * 50), 40);
    assert_int_equal(epochs_of_table("--learner glvq", 128 * 100), 20);
    assert_int_equal(epochs_of_table("--epochs 3", 10), 3);
}

static void what_is_trained_follows_from_load_epochs_and_classify(void **state)
{
    (void)state;
    settings with = parsed("--load m --data a.csv --predict p --missing fill");
    assert_false(with.train);
    with = parsed("--data a.csv --test b.csv --predict p");
    assert_true(with.train);
    with = parsed("--predict p");
    assert_true(with.train);
    with = parsed("--load a --data d");
    assert_true(!with.train && with.needs_data);
    with = parsed("--load a --data d --epochs 3");
    assert_true(with.train);
    with = parsed("--load a --classify b");
    assert_true(!with.train && !with.needs_data);
    with = parsed("--load a --data d --classify b --predict c");
    assert_true(!with.train && with.needs_data && with.data.from.test_only);
    with = parsed("--optimizer adam");
    assert_float_equal(with.rate, 0.01f, 1e-9);
    assert_float_equal(with.momentum, 0.0f, 0.0f);
}

static void options_of_other_programs_get_those_of_this_one(void **state)
{
    static const char *const cases[][2] = {
        {"batch-size", "batch"},
        {"hidden-layer-sizes", "hidden"},
        {"alpha", "decay"},
        {"max-iter", "epochs"},
        {"n-neighbors", "prototypes"},
        {"n_clusters", "prototypes"},
        {"n_init", "restarts"},
        {"learning_rate_init", "rate"},
        {"criterion", "loss"},
        {"lr-scheduler", "schedule"},
        {"validation_fraction", "validation"},
        {"n-iter-no-change", "patience"},
        {"kfold", "cv"},
        {"n-trials", "trials"},
        {"random-search", "search"},
        {"scoring", "search-by"},
        {"img-size", "shape"},
        {"dropout", "layers"},
        {"covariance_type", "covariance"},
        {"sample_weight", "sample-weights"},
        {"label-column", "label"},
        {"stream", "budget"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char line[64], meant[64];
        snprintf(line, sizeof line, "--%s 3", cases[i][0]);
        snprintf(meant, sizeof meant, "did you mean --%s?", cases[i][1]);
        refused(line, (const char *const[3]){"unknown option", meant});
    }
}

static void an_unknown_option_gets_the_one_that_was_meant(void **state)
{
    static const struct {
        const char *line, *parts[3];
    } cases[] = {
        {"--lr 0.1", {"unknown option '--lr'; did you mean --rate?"}},
        {"--learning_rate=0.1", {"unknown option '--learning_rate=0.1'; did you mean --rate?"}},
        {"--standardize", {"did you mean --standardise?"}},
        {"--normalize", {"did you mean --standardise?"}},
        {"--batch_size 3", {"did you mean --batch?"}},
        {"--epohcs 3", {"did you mean --epochs?"}},
        {"--optimiser adam", {"did you mean --optimizer?"}},
        {"--restore_best", {"did you mean --restore-best?"}},
        {"--Epochs 3", {"did you mean --epochs?"}},
        {"-epochs 3", {"unknown option '-epochs'; did you mean --epochs?"}},
        {"--batch 3 -lr 1", {"unknown option '-lr'; did you mean --rate?"}},
        {"--hlep", {"did you mean --help?"}},
        {"--h", {"ambiguous option '--h': --header, --holdout, --hidden, --help"}},
        {"--lab x", {"ambiguous option '--lab': --labels, --label, --label-smoothing"}},
    };
    static const char *const alone[] = {
        "--wrong", "-x", "-e", "--zz", "--", "---", "--a-very-long-name-that-no-program-has 3"};
    settings result;
    bool help;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        refused(cases[i].line, cases[i].parts);
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; ++i)
        if (!parse_words(alone[i], &result, &help) && strstr(failure(), "did you mean"))
            fail_msg("%s: %s", alone[i], failure());
}

static void an_unknown_word_gets_the_choice_that_was_meant(void **state)
{
    static const struct {
        const char *line, *parts[3];
    } cases[] = {
        {"--learner gvlq", {"--learner 'gvlq': choose one of network", "; did you mean glvq?"}},
        {"--learner k-means", {"did you mean kmeans?"}},
        {"--learner GLVQ", {"did you mean glvq?"}},
        {"--loss crossentropy", {"did you mean cross_entropy?"}},
    };
    settings result;
    bool help;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        refused(cases[i].line, cases[i].parts);
    assert_false(parse_words("--learner forest", &result, &help));
    assert_null(strstr(failure(), "did you mean"));
    assert_false(parse_words("--momentum 1e40", &result, &help));
    assert_string_equal(failure(), "--momentum '1e40': has to be a number in [0, 1)");
    assert_false(parse_words("--epochs 0", &result, &help));
    assert_string_equal(failure(), "--epochs '0': has to be an integer from 1 on");
}

static const struct {
    const char *line, *parts[3];
} wrong_values[] = {
    {"--batch -2", {"--batch '-2': has to be an integer from -1 on, but not 0"}},
    {"--batch 0", {"--batch '0': has to be an integer from -1 on, but not 0"}},
    {"--desired-loss 0", {"--desired-loss '0': has to be a finite number, but not 0"}},
    {"--desired-error 0", {"--desired-error '0': has to be a number in (0, 1)"}},
    {"--patience 0", {"--patience '0': has to be an integer from 1 on"}},
    {"--every 0", {"--every '0': has to be an integer from 1 on"}},
    {"--learner rslvq --sigma 0", {"--sigma '0': has to be a finite number from 0 on, but not 0"}},
    {"--learner gmm --shrinkage -0", {"--shrinkage '-0': has to be a number up to 1e+06, but"}},
    {"--epochs 0", {"--epochs '0': has to be an integer from 1 on"}},
    {"--batch 12x", {"--batch", "'12x'", "integer"}},
    {"--epochs 99999999999999999999", {"--epochs", "99999999999999999999", "integer"}},
    {"--epochs 2147483648", {"'2147483648': has to be an integer from 1 on; the greatest is 2147"}},
    {"--batch 99999999999", {"from -1 on, but not 0; the greatest is 2147483647"}},
    {"--rate 1e40", {"has to be a finite number above 0; the greatest is 3.402823466e+38"}},
    {"--rate 0", {"--rate", "'0'", "above 0"}},
    {"--rate nan", {"--rate", "'nan'", "number"}},
    {"--momentum 1", {"--momentum '1': has to be a number in [0, 1)"}},
    {"--validation -0.1", {"--validation", "'-0.1'", "from 0"}},
    {"--layout paged", {"--layout 'paged': choose one of auto, tiled, packed or unpacked"}},
    {"--loss mse", {"--loss", "'mse'", "choose one of cross_entropy, squared, absolute"}},
    {"--hidden 128,", {"--hidden '128,': give 1 to 15 integers", "separated by commas"}},
    {"--hidden -1", {"--hidden", "'-1'", "from 0"}},
    {"--hidden 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", {"--hidden", "1 to 15"}},
    {"--seed -1", {"--seed", "'-1'", "from 0"}},
    {"--device=-1", {"--device", "'-1'", "from 0"}},
    {"--save", {"--save", "missing"}},
    {"--list-devices=3", {"--list-devices", "takes no value"}},
    {"--wrong", {"--wrong", "unknown"}},
    {"-x", {"-x", "unknown"}},
    {"digit.png", {"digit.png", "unexpected"}},
    {"--patience 3", {"--patience", "3", "--validation"}},
    {"--load a --hidden 3", {"--hidden", "--load", "a"}},
    {"--optimizer adam --momentum 0.5", {"--momentum", "adam"}},
    {"--load a --standardise", {"--standardise", "--load", "a"}},
    {"--holdout 1 --data a.csv", {"--holdout 1", "nothing", "below 1"}},
    {"--holdout 1.1", {"--holdout '1.1': has to be a number from 0 to 1"}},
    {"--target y", {"--target y", "--data"}},
    {"--target y --data a.npy", {"--target y", "CSV"}},
    {"--target y --label z --data a.csv", {"--target", "--label"}},
    {"--target y --lda 1 --data a.csv", {"--target", "--lda"}},
    {"--target y --loss cross_entropy --data a.csv", {"--target", "cross_entropy"}},
    {"--target y --loss hinge --data a.csv", {"--target and --loss hinge", "quantile"}},
    {"--learner svm --loss-value y", {"svm does not use --loss-value"}},
    {"--load m --data d --loss-parameter 2", {"already fixes --loss-parameter"}},
    {"--loss-parameter -1", {"--loss-parameter '-1'", "a finite number from 0 on"}},
    {"--pca 3 --lda 3", {"--pca", "--lda", "not both"}},
    {"--whiten", {"--whiten", "--pca or --lda"}},
    {"--hidden 8,0", {"--hidden 8,0", "at least 1 unit", "--hidden 0 alone"}},
    {"--epochs 1 --epochs 2", {"--epochs", "twice"}},
    {"--whiten --whiten --pca 2", {"--whiten", "twice"}},
    {"--data a.csv --test b.csv --holdout 0.3", {"--holdout", "--test b.csv"}},
    {"--holdout 0.3", {"--holdout", "of its own"}},
    {"--load a --rate 0.1", {"--load", "--rate", "without --epochs"}},
    {"--load a --validation 0.1", {"--load", "--validation", "without --epochs"}},
    {"--load a --restore-best", {"--load", "--restore-best", "without --epochs"}},
    {"--load a --data b.csv --samples 9", {"--load", "--samples", "without --epochs"}},
    {"--invert", {"--invert", "--classify"}},
    {"--load a --data b.csv --holdout 0.3", {"--load", "--holdout", "without --epochs"}},
    {"--load a --data b.csv --test c.csv", {"b.csv", "c.csv", "without --epochs"}},
    {"--load a --seed 3", {"--load", "--seed", "without --epochs"}},
    {"--load a", {"--load a", "needs --data", "to measure the model on; --classify and exports"}},
    {"--load a --epochs 3", {"--load a", "needs --data", "to train the model with, because"}},
    {"--load a --classify b --predict c", {"--load a", "needs --data"}},
    {"--data a.csv --predict p", {"--predict p", "a.csv", "--test"}},
    {"--load m --epochs 2 --data a.csv --predict p", {"--predict p", "a.csv", "--test"}},
    {"--load m --data a.csv --predict p --missing drop", {"--predict", "drop", "fill"}},
};

static void wrong_values_are_refused_with_option_value_and_what_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_values / sizeof wrong_values[0]; ++i)
        refused(wrong_values[i].line, wrong_values[i].parts);
}

static void learners_and_searches_are_spelt_as_the_library_does(void **state)
{
    char line[64];
    (void)state;
    for (int kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        snprintf(line, sizeof line, "--learner %s", glnn_lvq_kind_name((glnn_lvq_kind)kind));
        assert_int_equal(parsed(line).learner, LEARNER_LVQ + kind);
    }
    for (int search = 0; search < GLNN_SEARCH_COUNT; ++search) {
        snprintf(line, sizeof line, "--learner kmeans --nearest %s",
                 glnn_search_name((glnn_search)search));
        assert_int_equal((int)parsed(line).nearest, search);
    }
    for (int loss = 0; loss < GLNN_SVM_LOSS_COUNT; ++loss) {
        snprintf(line, sizeof line, "--learner svm --svm-loss %s",
                 glnn_svm_loss_name((glnn_svm_loss)loss));
        assert_int_equal((int)parsed(line).svm_loss, loss);
        assert_int_equal(parsed(line).learner, LEARNER_SVM);
    }
    for (int kind = 0; kind < GLNN_COVARIANCE_COUNT; ++kind) {
        snprintf(line, sizeof line, "--learner gmm --covariance %s",
                 glnn_covariance_name((glnn_covariance)kind));
        assert_int_equal((int)parsed(line).covariance, kind);
    }
}

static void a_brought_model_is_trained_only_with_epochs(void **state)
{
    (void)state;
    assert_true(parsed("").train);
    const settings brought = parsed("--load a --test b");
    assert_true(!brought.train && brought.data.from.test_only);
    assert_true(parsed("--load a --data b --epochs 3").train);
    assert_false(parsed("--codebook-in a").train);
    assert_true(parsed("--codebook-in a --epochs 3").train);
    assert_int_equal(parsed("--seed 9").data.from.seed, 9);
}

static void options_that_the_learner_does_not_use_are_refused(void **state)
{
    static const struct {
        const char *line, *parts[3];
    } cases[] = {
        {"--learner lvq4", {"--learner", "lvq1, olvq1"}},
        {"--load a --learner glvq", {"--learner", "--load"}},
        {"--load a", {"--load a", "needs --data"}},
        {"--load a --pca 3", {"--pca", "--load"}},
        {"--load a --codebook-in b", {"--load", "--codebook-in"}},
        {"--learner gmm --codebook-out a", {"--codebook-out", "gmm"}},
        {"--learner kmeans --codebook-in a", {"--codebook-in", "kmeans"}},
        {"--codebook-in a --prototypes 3", {"--codebook-in", "--prototypes"}},
        {"--codebook-in a --pca 3", {"--codebook-in", "--epochs"}},
        {"--pca 3 --lda 3", {"--pca", "--lda"}},
        {"--learner lvq1 --xi 3", {"--xi", "lvq1"}},
        {"--learner glvq --window 0.2", {"--window", "glvq"}},
        {"--learner lvq2.1 --epsilon 0.2", {"--epsilon", "lvq2.1"}},
        {"--learner glvq --sigma 1", {"--sigma", "glvq"}},
        {"--learner grlvq --rank 2", {"--rank", "grlvq"}},
        {"--learner kmeans --rate 1", {"kmeans does not use --rate", "no rate"}},
        {"--learner gmm --batch 4", {"gmm does not use --batch", "all samples at once"}},
        {"--learner kmeans --init means", {"--init", "kmeans"}},
        {"--learner glvq --covariance full", {"--covariance", "glvq"}},
        {"--prototypes 2", {"network does not use --prototypes"}},
        {"--learner glvq --hidden 3", {"glvq does not use --hidden"}},
        {"--learner gmm --target y --data a.csv", {"gmm does not use --target", "a network"}},
        {"--learner svm --prototypes 2", {"svm does not use --prototypes"}},
        {"--learner svm --codebook-out a", {"--codebook-out", "svm has no prototypes"}},
        {"--learner glvq --lambda 1", {"glvq does not use --lambda"}},
        {"--labels a.npy", {"--labels", "a.npy"}},
        {"--data a.csv --labels b.npy", {"--labels", ".npy"}},
        {"--data a.npy --test b.csv --test-labels c.npy", {"--test-labels", ".npy"}},
        {"--test a.csv", {"--test", "--data"}},
        {"--codebook-in a --init samples", {"--codebook-in", "--init"}},
        {"--codebook-in a --batch 3", {"--codebook-in", "--batch"}},
        {"--load a --data b.csv --schedule step", {"--load", "--schedule"}},
        {"--data b.csv --predict p", {"--predict", "--test"}},
        {"--prototypes 0", {"--prototypes", "from 1"}},
        {"--window 1", {"--window '1': has to be a number in (0, 1)"}},
        {"--window 0", {"--window '0': has to be a number in (0, 1)"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        refused(cases[i].line, cases[i].parts);
}

static void help_names_every_option_with_its_default(void **state)
{
    static const char *const parts[] = {"--data PATH",
                                        "--hidden N",
                                        "--epochs N",
                                        "--classify FILE",
                                        "--plot DIR",
                                        "(default: 128)",
                                        "auto, tiled, packed or unpacked",
                                        "use the mean",
                                        "without them by that of training",
                                        "are not scaled",
                                        "--features WORD",
                                        "--shape decides",
                                        "--epochs may be more",
                                        "--help"};
    char text[32768] = "";
    settings with;
    bool help;
    option_table options = settings_table("build/examples/train");
    (void)state;
    assert_true(parse_words("--help --wrong", &with, &help) && help);
    FILE *file = tmpfile();
    assert_non_null(file);
    options_help(&options, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        if (strstr(text, parts[i]) == NULL)
            fail_msg("--help lacks \"%s\"", parts[i]);
}

static void options_spell_maps_layouts_and_precisions_as_the_library_does(void **state)
{
    char line[64];
    (void)state;
    for (int of = GLNN_ACTIVATION_DEFAULT + 1; of < GLNN_ACTIVATION_COUNT; ++of) {
        snprintf(line, sizeof line, "--activation %s", glnn_activation_name((glnn_activation)of));
        assert_int_equal((int)parsed(line).activation, of);
    }
    for (int layout = GLNN_LAYOUT_AUTO; layout < GLNN_LAYOUT_PAGED; ++layout) {
        snprintf(line, sizeof line, "--layout %s", glnn_layout_name((glnn_layout)layout));
        assert_int_equal((int)parsed(line).layout, layout);
    }
    for (int precision = 0; precision < GLNN_PRECISION_COUNT; ++precision) {
        snprintf(line, sizeof line, "--precision %s",
                 glnn_precision_name((glnn_precision)precision));
        assert_int_equal((int)parsed(line).precision, precision);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_command_line_gives_the_defaults),
        cmocka_unit_test(every_kind_of_value_is_read),
        cmocka_unit_test(losses_of_numbers_learn_targets_and_classes),
        cmocka_unit_test(numbers_are_learnt_with_adam_unless_there_is_another_optimizer),
        cmocka_unit_test(tables_are_learnt_with_adam_unless_there_is_another_optimizer),
        cmocka_unit_test(no_hidden_units_make_a_linear_model),
        cmocka_unit_test(few_samples_have_more_epochs),
        cmocka_unit_test(what_is_trained_follows_from_load_epochs_and_classify),
        cmocka_unit_test(an_unknown_option_gets_the_one_that_was_meant),
        cmocka_unit_test(options_of_other_programs_get_those_of_this_one),
        cmocka_unit_test(an_unknown_word_gets_the_choice_that_was_meant),
        cmocka_unit_test(wrong_values_are_refused_with_option_value_and_what_is_allowed),
        cmocka_unit_test(learners_and_searches_are_spelt_as_the_library_does),
        cmocka_unit_test(a_brought_model_is_trained_only_with_epochs),
        cmocka_unit_test(options_that_the_learner_does_not_use_are_refused),
        cmocka_unit_test(help_names_every_option_with_its_default),
        cmocka_unit_test(options_spell_maps_layouts_and_precisions_as_the_library_does),
    };
    return cmocka_run_group_tests_name("examples options", tests, NULL, NULL);
}
