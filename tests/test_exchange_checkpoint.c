/* Checkpoints of several processes, with which any number of processes goes on. */
#include "support/learner_files.h"
#include "support/together.h"

#include <sys/stat.h>

static outcome one[1], three[3], again[3];
static file_path checkpoint;
static int batches[TOGETHER_RANKS]; /* reports of each rank */

static void save_checkpoints(const team_member *self, glnn_network_desc *network,
                             glnn_train_desc *training)
{
    (void)self;
    (void)network;
    training->checkpoint = checkpoint.text;
    training->checkpoint_every = 2;
    training->resume = true;
}

/* Rank 1 stops the training after its second report of an epoch of six batches. */
static bool stop_at_batch(void *user, const glnn_report *report)
{
    const int rank = *(const int *)user;
    batches[rank] += report->event == GLNN_EVENT_BATCH;
    return rank != 1 || batches[rank] < 2;
}

static void report_batches(const team_member *self, glnn_train_desc *training,
                           glnn_report_fn report)
{
    static const int ranks[TOGETHER_RANKS] = {0, 1, 2};
    batches[self->rank] = 0;
    training->report = report;
    training->user = (void *)&ranks[self->rank];
    training->report_every = 1;
}

static void stop_in_the_middle(const team_member *self, glnn_network_desc *network,
                               glnn_train_desc *training)
{
    save_checkpoints(self, network, training);
    report_batches(self, training, stop_at_batch);
}

static void remove_checkpoints(void)
{
    char former[sizeof checkpoint + 2];
    snprintf(former, sizeof former, "%s.1", checkpoint.text);
    remove(former);
    remove(checkpoint.text);
}

static together training(void)
{
    together how = dense();
    how.network.optimizer.momentum = 0.5f;
    how.training.restore_best = true;
    return how;
}

/* How many processes go on with the checkpoint of how many. */
static const struct {
    int before, after;
} continuations[] = {{2, 1}, {2, 3}, {1, 2}, {3, 3}};

/* Sums in another order differ little; with as many processes they do not differ at all. */
static void a_training_goes_on_with_another_number_of_processes(void **state)
{
    (void)state;
    together how = training();
    train_together(&how, &(team_desc){.ranks = 1}, one);
    train_together(&how, &(team_desc){.ranks = 3}, three);
    checkpoint = path_of("checkpoint");
    for (size_t i = 0; i < COUNT_OF(continuations); ++i) {
        const int before = continuations[i].before, after = continuations[i].after;
        how.change = stop_in_the_middle;
        train_together(&how, &(team_desc){.ranks = before}, again);
        expect_trained(again, before);
        assert_int_equal(again[0].result.steps, before > 1 ? 4 : 12);
        how.change = save_checkpoints;
        train_together(&how, &(team_desc){.ranks = after}, again);
        expect_trained(again, after);
        expect_same_on_all(again, after);
        expect_near(&again[0], &one[0], 1e-5, "resumed");
        assert_true(again[0].result.training.accuracy == one[0].result.training.accuracy);
        if (before == after)
            assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
        remove_checkpoints();
    }
}

/* Parameters and states are the same on all when they are saved. */
static void averages_go_on_with_the_same_bits(void **state)
{
    (void)state;
    together how = training();
    how.training.exchange = (glnn_exchange_desc){.kind = GLNN_EXCHANGE_AVERAGES, .every = 4};
    checkpoint = path_of("averages");
    how.change = save_checkpoints;
    train_together(&how, &(team_desc){.ranks = 3}, three);
    expect_trained(three, 3);
    remove_checkpoints();
    how.change = stop_in_the_middle;
    train_together(&how, &(team_desc){.ranks = 3}, again);
    assert_int_equal(again[0].result.steps, 4);
    how.change = save_checkpoints;
    train_together(&how, &(team_desc){.ranks = 3}, again);
    expect_trained(again, 3);
    expect_same_on_all(again, 3);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
    remove_checkpoints();
}

static void a_damaged_checkpoint_is_an_error_on_all(void **state)
{
    (void)state;
    together how = training();
    checkpoint = file_write("damaged", "not a checkpoint", 16);
    how.change = save_checkpoints;
    train_together(&how, &(team_desc){.ranks = 3}, again);
    assert_int_equal(again[0].status, GLNN_E_FORMAT);
    expect_all_fail(again + 1, 2, GLNN_E_PROCESS, "rank 0: ");
    expect_all_fail(again + 1, 2, GLNN_E_PROCESS, checkpoint.text);
    remove_checkpoints();
}

static void a_place_that_cannot_be_written_is_an_error_on_all(void **state)
{
    (void)state;
    together how = training();
    checkpoint = path_of("nowhere/checkpoint");
    how.change = save_checkpoints;
    train_together(&how, &(team_desc){.ranks = 2}, again);
    assert_int_equal(again[0].status, GLNN_E_IO);
    expect_all_fail(again + 1, 1, GLNN_E_PROCESS, "rank 0 failed: ");
}

static bool remove_folder(void *user, const glnn_report *report)
{
    const int rank = *(const int *)user;
    if (rank == 0 && report->event == GLNN_EVENT_BATCH && batches[0]++ == 1) {
        remove_checkpoints();
        assert_int_equal(remove(path_of("folder").text), 0);
    }
    return true;
}

static void lose_the_folder(const team_member *self, glnn_network_desc *network,
                            glnn_train_desc *how)
{
    save_checkpoints(self, network, how);
    report_batches(self, how, remove_folder);
}

static void saving_that_fails_is_an_error_on_all(void **state)
{
    (void)state;
    together how = training();
    assert_int_equal(mkdir(path_of("folder").text, 0700), 0);
    checkpoint = path_of("folder/checkpoint");
    how.change = lose_the_folder;
    train_together(&how, &(team_desc){.ranks = 3}, again);
    assert_int_equal(again[0].status, GLNN_E_IO);
    expect_all_fail(again + 1, 2, GLNN_E_PROCESS, "rank 0: ");
    assert_int_equal(again[2].result.steps, 4);
}

static glnn_status never_called(void *user, glnn_train_desc *desc, glnn_learner **learner,
                                const glnn_dataset **data)
{
    (void)user, (void)desc, (void)learner, (void)data;
    return GLNN_E_STATE;
}

static void continue_after_losses(const team_member *self, glnn_network_desc *network,
                                  glnn_train_desc *training)
{
    save_checkpoints(self, network, training);
    training->on_device_lost = never_called;
}

/* A loss ends the training of all, as any other failure of a process does. */
static void several_processes_do_not_continue_after_a_loss_of_the_device(void **state)
{
    (void)state;
    together how = training();
    checkpoint = path_of("checkpoint");
    how.change = continue_after_losses;
    train_together(&how, &(team_desc){.ranks = 2}, again);
    expect_all_fail(again, 2, GLNN_E_UNSUPPORTED,
                    "the training is to continue when the device was lost, but 2 processes train "
                    "together; a loss ends the training of all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_training_goes_on_with_another_number_of_processes),
        LEARNING_TEST(averages_go_on_with_the_same_bits),
        LEARNING_TEST(a_damaged_checkpoint_is_an_error_on_all),
        LEARNING_TEST(a_place_that_cannot_be_written_is_an_error_on_all),
        LEARNING_TEST(saving_that_fails_is_an_error_on_all),
        LEARNING_TEST(several_processes_do_not_continue_after_a_loss_of_the_device),
    };
    return cmocka_run_group_tests_name("exchange checkpoint", tests, learner_files_setup,
                                       learner_files_teardown);
}
