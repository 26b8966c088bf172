/* Devices that are lost. The driver tells that when the library asks for resets of the device, so a
 * function that takes the place of the driver's says so at the n-th question. */
#include "support/learner_files.h"
#include "support/support.h"

#include <glnn/network.h>
#include <glnn/trainer.h>

#include <GL/glew.h>

enum {
    SAMPLES = 40,
    FEATURES = 3,
    PARAMETERS = FEATURES * 5 + 5 + 5 * 2 + 2,
    STEPS = 15,
    NEVER = 1 << 30
};

static PFNGLGETGRAPHICSRESETSTATUSPROC ask_driver;
static int questions, questions_left;

static GLenum GLAPIENTRY ask(void)
{
    ++questions;
    return questions_left-- > 0 ? ask_driver() : GL_UNKNOWN_CONTEXT_RESET;
}

/* The device is lost after so many questions. */
static void lose_device_after(int count)
{
    questions = 0;
    questions_left = count;
}

static int replace_function(void **state)
{
    (void)state;
    ask_driver = __glewGetGraphicsResetStatus;
    __glewGetGraphicsResetStatus = ask;
    lose_device_after(NEVER);
    return 0;
}

static int replace_back(void **state)
{
    lose_device_after(NEVER);
    __glewGetGraphicsResetStatus = ask_driver;
    return test_teardown(state);
}

#define LOSS_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, replace_function, replace_back)

/* All that a training needs. */
typedef struct session {
    glnn_context *ctx;
    glnn_dataset *data, *validation;
    glnn_learner *network;
    int epochs;         /* 0: 3                                     */
    int losses;         /* that have been answered by a new context */
    int starts;         /* of the training                          */
    uint64_t from;      /* steps made before the latest start       */
    int each;           /* the device is lost so many questions after each start; 0: it is not */
    glnn_status answer; /* to a loss                                */
} session;

static glnn_dataset *new_dataset(glnn_context *ctx, int first)
{
    static float inputs[SAMPLES][FEATURES];
    static int labels[SAMPLES];
    glnn_dataset *data;
    for (int i = 0; i < SAMPLES; ++i) {
        for (int f = 0; f < FEATURES; ++f)
            inputs[i][f] = (float)((first + i) * (7 + f) % 11) / 5 - 1;
        labels[i] = inputs[i][0] > inputs[i][1];
    }
    expect_ok(glnn_dataset_create(ctx,
                                  &(glnn_dataset_desc){.samples = SAMPLES,
                                                       .features = FEATURES,
                                                       .inputs = inputs[0],
                                                       .labels = labels,
                                                       .classes = 2},
                                  &data));
    return data;
}

static void open_session(session *s)
{
    s->ctx = context_new(0, 0);
    s->data = new_dataset(s->ctx, 0);
    s->validation = new_dataset(s->ctx, SAMPLES);
    expect_ok(glnn_network_create(
        s->ctx,
        &(glnn_network_desc){
            .features = FEATURES,
            .layers = {{.units = 5, .activation = GLNN_ACTIVATION_TANH}, {.units = 2}},
            .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
            .seed = 1},
        &s->network));
}

static void close_session(session *s)
{
    glnn_learner_destroy(s->network);
    glnn_dataset_destroy(s->validation);
    glnn_dataset_destroy(s->data);
    glnn_context_destroy(s->ctx);
}

static glnn_status reopen(void *user, glnn_train_desc *desc, glnn_learner **learner,
                          const glnn_dataset **data)
{
    session *s = user;
    assert_ptr_equal(*learner, s->network);
    assert_ptr_equal(*data, s->data);
    assert_ptr_equal(desc->validation, s->validation);
    ++s->losses;
    if (s->answer)
        return glnn_last_error_set(s->answer, "there is no other device");
    close_session(s);
    lose_device_after(NEVER);
    open_session(s);
    *learner = s->network;
    *data = s->data;
    desc->validation = s->validation;
    return GLNN_OK;
}

static void count_start(void *user, const glnn_trainer *trainer)
{
    session *s = user;
    const uint64_t from = glnn_trainer_get_result(trainer)->steps;
    assert_true(from >= s->from && from % 2 == 0);
    s->from = from;
    ++s->starts;
    if (s->each > 0)
        lose_device_after(s->each);
}

static glnn_status train(session *s, glnn_device_lost_fn on_loss)
{
    const file_path path = path_of("training");
    const glnn_train_desc desc = {.epochs = s->epochs ? s->epochs : 3,
                                  .batch = 8,
                                  .seed = 2,
                                  .validation = s->validation,
                                  .restore_best = true,
                                  .checkpoint = path.text,
                                  .checkpoint_every = 2,
                                  .overwrite = true,
                                  .on_device_lost = on_loss,
                                  .on_start = count_start,
                                  .user = s};
    return glnn_learner_train(s->network, s->data, &desc, NULL);
}

static void read_parameters(const session *s, float out[PARAMETERS])
{
    static const struct {
        const char *name;
        int count;
    } tensors[] = {{"0.weight", FEATURES * 5}, {"0.bias", 5}, {"2.weight", 10}, {"2.bias", 2}};
    for (size_t i = 0; i < COUNT_OF(tensors); out += tensors[i++].count)
        expect_ok(
            glnn_learner_get_tensor(s->network, tensors[i].name, (size_t)tensors[i].count, out));
}

static void all_calls_fail_after_a_loss_and_a_new_context_works(void **state)
{
    (void)state;
    const float numbers[6] = {1, 2, 3, 4, 5, 6};
    float got[6] = {0};
    glnn_matrix *a;
    glnn_context *ctx = context_new(0, 0);
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 3}, &a));
    expect_ok(glnn_matrix_upload(ctx, a, NULL, numbers, 0));
    lose_device_after(0);
    expect_error(glnn_matrix_download(ctx, a, NULL, got, 0), GLNN_E_DEVICE_LOST,
                 "glnn_matrix_download: the driver has reset the device ");
    assert_int_equal(questions, 1);
    expect_error(glnn_matrix_upload(ctx, a, NULL, numbers, 0), GLNN_E_DEVICE_LOST,
                 "glnn_matrix_upload: the driver has reset the device ");
    expect_error(glnn_context_finish(ctx), GLNN_E_DEVICE_LOST, "destroy it and create another one");
    assert_int_equal(questions, 1);
    glnn_matrix_destroy(a);
    glnn_context_destroy(ctx);
    lose_device_after(NEVER);
    ctx = context_new(0, 0);
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 3}, &a));
    expect_ok(glnn_matrix_upload(ctx, a, NULL, numbers, 0));
    expect_ok(glnn_matrix_download(ctx, a, NULL, got, 0));
    assert_memory_equal(got, numbers, sizeof got);
    glnn_matrix_destroy(a);
    glnn_context_destroy(ctx);
}

static void a_context_cannot_be_created_on_a_device_that_is_lost(void **state)
{
    (void)state;
    glnn_context *ctx;
    lose_device_after(0);
    expect_error(glnn_context_create(NULL, &ctx), GLNN_E_DEVICE_LOST, "glnn_context_create: ");
    assert_null(ctx);
}

/* The bits are those of a training whose device was not lost. At first, the checkpoint is that of
 * the former training. */
static void a_training_goes_on_from_its_checkpoint_whenever_the_device_is_lost(void **state)
{
    (void)state;
    float wanted[PARAMETERS], got[PARAMETERS];
    session s = {0};
    open_session(&s);
    lose_device_after(NEVER);
    expect_ok(train(&s, reopen));
    const int count = questions;
    read_parameters(&s, wanted);
    close_session(&s);
    const int stride = all_cases_are_run() ? 1 : 1 + count / 24;
    for (int n = 0; n < count; n += stride) {
        s = (session){0};
        open_session(&s);
        lose_device_after(n);
        expect_ok(train(&s, reopen));
        assert_int_equal(s.losses, 1);
        assert_int_equal(s.starts, 2);
        assert_true(s.from < STEPS);
        read_parameters(&s, got);
        assert_memory_equal(got, wanted, sizeof got);
        close_session(&s);
        release_all();
    }
    print_message("%d questions\n", count);
}

/* Two steps and a checkpoint ask more than 20 times, and less than 150 times. */
static void a_training_bears_any_number_of_losses_but_not_many_from_one_checkpoint(void **state)
{
    (void)state;
    enum { LONG = 12 };
    float wanted[PARAMETERS], got[PARAMETERS];
    session s = {.epochs = LONG};
    open_session(&s);
    lose_device_after(NEVER);
    expect_ok(train(&s, reopen));
    read_parameters(&s, wanted);
    close_session(&s);
    s = (session){.epochs = LONG, .each = 150};
    open_session(&s);
    expect_ok(train(&s, reopen));
    lose_device_after(NEVER);
    read_parameters(&s, got);
    assert_memory_equal(got, wanted, sizeof got);
    assert_true(s.losses > GLNN_TRAIN_MAX_LOSSES);
    close_session(&s);
    s = (session){.each = 20};
    open_session(&s);
    expect_error(train(&s, reopen), GLNN_E_DEVICE_LOST,
                 "; the device was lost 4 times in a row without a new checkpoint, so the training "
                 "may be the reason");
    assert_int_equal(s.losses, GLNN_TRAIN_MAX_LOSSES - 1);
    close_session(&s);
}

static void without_a_function_for_it_a_loss_ends_the_training(void **state)
{
    (void)state;
    session s = {0};
    open_session(&s);
    lose_device_after(9);
    expect_error(train(&s, NULL), GLNN_E_DEVICE_LOST, "glnn_learner_train: ");
    close_session(&s);
}

static void a_function_that_fails_ends_the_training_with_its_status(void **state)
{
    (void)state;
    session s = {.answer = GLNN_E_UNSUPPORTED};
    open_session(&s);
    lose_device_after(9);
    expect_error(train(&s, reopen), GLNN_E_UNSUPPORTED, "there is no other device");
    assert_int_equal(s.losses, 1);
    close_session(&s);
}

/* Functions that leave something of the lost context. */

static glnn_status leave_all(void *user, glnn_train_desc *desc, glnn_learner **learner,
                             const glnn_dataset **data)
{
    (void)user;
    (void)desc;
    (void)learner;
    (void)data;
    return GLNN_OK;
}

static glnn_status leave_handles(void *user, glnn_train_desc *desc, glnn_learner **learner,
                                 const glnn_dataset **data)
{
    glnn_learner *former = *learner;
    const glnn_status status = reopen(user, desc, learner, data);
    *learner = former;
    return status;
}

static glnn_status leave_data(void *user, glnn_train_desc *desc, glnn_learner **learner,
                              const glnn_dataset **data)
{
    const glnn_dataset *former = *data;
    const glnn_status status = reopen(user, desc, learner, data);
    *data = former;
    return status;
}

static glnn_status leave_validation(void *user, glnn_train_desc *desc, glnn_learner **learner,
                                    const glnn_dataset **data)
{
    const glnn_dataset *former = desc->validation;
    const glnn_status status = reopen(user, desc, learner, data);
    desc->validation = former;
    return status;
}

static glnn_status forget_learner(void *user, glnn_train_desc *desc, glnn_learner **learner,
                                  const glnn_dataset **data)
{
    const glnn_status status = reopen(user, desc, learner, data);
    *learner = NULL;
    return status;
}

static void a_function_that_leaves_a_handle_of_the_lost_context_is_told_which(void **state)
{
    static const struct {
        glnn_device_lost_fn function;
        const char *part;
    } cases[] = {
        {leave_all, "glnn_learner_train: on_device_lost returned GLNN_OK, but the learner still "
                    "belongs to the context whose device was lost; "},
        {leave_handles, "but the learner still belongs to the context"},
        {leave_data, "but the data set still belongs to the context"},
        {leave_validation, "but the validation set still belongs to the context"},
        {forget_learner, "but the learner is null"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        session s = {0};
        lose_device_after(NEVER);
        open_session(&s);
        lose_device_after(9);
        expect_error(train(&s, cases[i].function), GLNN_E_STATE, cases[i].part);
        close_session(&s);
    }
}

static void the_function_needs_a_checkpoint(void **state)
{
    (void)state;
    session s = {0};
    open_session(&s);
    expect_error(
        glnn_learner_train(s.network, s.data, &(glnn_train_desc){.on_device_lost = reopen}, NULL),
        GLNN_E_ARG,
        "the training is to continue when the device was lost, but there is no path of a "
        "checkpoint");
    close_session(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOSS_TEST(all_calls_fail_after_a_loss_and_a_new_context_works),
        LOSS_TEST(a_context_cannot_be_created_on_a_device_that_is_lost),
        LOSS_TEST(a_training_goes_on_from_its_checkpoint_whenever_the_device_is_lost),
        LOSS_TEST(a_training_bears_any_number_of_losses_but_not_many_from_one_checkpoint),
        LOSS_TEST(without_a_function_for_it_a_loss_ends_the_training),
        LOSS_TEST(a_function_that_fails_ends_the_training_with_its_status),
        LOSS_TEST(a_function_that_leaves_a_handle_of_the_lost_context_is_told_which),
        LOSS_TEST(the_function_needs_a_checkpoint),
    };
    return cmocka_run_group_tests_name("device_loss", tests, learner_files_setup,
                                       learner_files_teardown);
}
