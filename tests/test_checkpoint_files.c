/* Files of checkpoints: which one a training goes on from, and files that it cannot go on from. */
#include "support/learner_files.h"
#include "support/runs.h"

#include "base/digits.h"

#include <glnn/curve.h>

#include <sys/stat.h>
#include <unistd.h>

static const run *const small = &runs[0];

/* ---- Damaged files */

static glnn_trainer *target;

static void forget(void *trainer)
{
    (void)trainer;
    target = NULL;
}

/* A trainer in the middle of its first epoch, until the end of the test. */
static glnn_trainer *get_target(void)
{
    if (target)
        return target;
    target = start_run(small, &small->how);
    learning_own(target, forget);
    advance(target, 4, false);
    return target;
}

static glnn_status read_checkpoint(const char *path)
{
    return glnn_trainer_load_checkpoint(get_target(), path);
}

static glnn_status write_checkpoint(const char *path)
{
    return glnn_trainer_save_checkpoint(get_target(), path);
}

static file_format checkpoints = {read_checkpoint, write_checkpoint};

static void one_wrong_bit_in_any_byte_is_noticed(void **state)
{
    (void)state;
    static unsigned char bytes[1u << 16];
    const file_path whole = path_of("whole"), before = path_of("before"), after = path_of("after");
    expect_ok(write_checkpoint(whole.text));
    expect_ok(write_checkpoint(before.text));
    const size_t size = file_read(whole.text, bytes, sizeof bytes);
    for (size_t i = 0; i < size; ++i) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        const file_path flipped = file_write("flipped", bytes, size);
        assert_int_not_equal(read_or_explain(read_checkpoint, flipped.text), GLNN_OK);
        bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    expect_ok(write_checkpoint(after.text));
    expect_same_checkpoints(before.text, after.text, "after damaged files");
}

static void other_files_are_no_checkpoints(void **state)
{
    (void)state;
    const file_path path = path_of("model");
    expect_ok(glnn_trainer_save(get_target(), path.text));
    expect_error(read_checkpoint(path.text), GLNN_E_FORMAT, "its format is 'glnn-network'");
    const glnn_metadata texts[] = {{"format", "glnn-checkpoint"}, {"version", "99"}};
    expect_ok(glnn_safetensors_write(path.text, NULL, 0, texts, 2));
    expect_error(read_checkpoint(path.text), GLNN_E_FORMAT, "version '99'");
    expect_ok(glnn_safetensors_write(path.text, NULL, 0, texts, 1));
    expect_error(read_checkpoint(path.text), GLNN_E_FORMAT, "version 'unknown'");
}

/* ---- Checkpoints of other trainings */

static void expect_refused(const run *of, const char *path, const char *part)
{
    glnn_trainer *trainer = start_run(of, &of->how);
    expect_error(glnn_trainer_load_checkpoint(trainer, path), GLNN_E_ARG, part);
    finish(trainer);
}

static void the_first_difference_to_another_training_is_named(void **state)
{
    (void)state;
    const file_path path = path_of("other");
    expect_ok(write_checkpoint(path.text));
    run other = *small;
    other.how.batch = 4;
    expect_refused(&other, path.text, "another training: there it has batch=8, here batch=4");
    other.how = small->how;
    other.how.schedule.final_rate = 0.02f;
    expect_refused(&other, path.text, "here final_rate=0.02");
    other.how = small->how;
    other.how.seed = 1;
    expect_refused(&other, path.text, "seed=9, here seed=1");
    other.how = small->how;
    other.how.restore_best = false;
    expect_refused(&other, path.text, "restore_best=true, here restore_best=false");
    expect_refused(&(run){.make = runs[4].make, .choice = runs[4].choice, .how = small->how},
                   path.text, "another learner: there it has capacity=4, here capacity=8");
    expect_refused(&(run){.make = runs[6].make, .choice = runs[6].choice, .how = small->how},
                   path.text, "learner=network, here learner=grlvq");
}

static void floats_in_a_sentence_have_as_few_digits_as_they_need(void **state)
{
    static const struct {
        float value;
        const char *text;
    } floats[] = {{0.1f, "0.1"}, {0.0f, "0"}, {1.0f / 3, "0.33333334"}, {1e-10f, "1e-10"}};
    char text[GLNN__DIGITS_TEXT];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(floats); ++i)
        assert_string_equal(glnn__digits_of_float(floats[i].value, text), floats[i].text);
    assert_string_equal(glnn__digits_of_double(0.1, text), "0.1");
    assert_string_equal(glnn__digits_of_double(1.0 / 3, text), "0.3333333333333333");
}

static glnn_trainer *start_on(samples of)
{
    const subject made = small->make(small->choice);
    return trainer_of(&made, dataset_of(of), &small->how);
}

static void the_first_difference_to_another_data_set_is_named(void **state)
{
    (void)state;
    const file_path path = path_of("other");
    expect_ok(write_checkpoint(path.text));
    random_seed(7);
    samples of = samples_clustered(SAMPLES, FEATURES, CLASSES, 2, CLASSES);
    expect_ok(glnn_trainer_load_checkpoint(start_on(of), path.text));
    expect_error(
        glnn_trainer_load_checkpoint(start_on(samples_part(of, 0, SAMPLES - 1)), path.text),
        GLNN_E_ARG, "another data set: there it has samples=53, here samples=52");
    *at(of.inputs, 17, 3) += 1;
    expect_error(glnn_trainer_load_checkpoint(start_on(of), path.text), GLNN_E_ARG,
                 "another data set: the inputs differ from those of this one");
    *at(of.inputs, 17, 3) -= 1;
    of.labels.data[20] = of.labels.data[20] > 0 ? 0 : 1;
    expect_error(glnn_trainer_load_checkpoint(start_on(of), path.text), GLNN_E_ARG,
                 "another data set: the labels differ from those of this one");
}

static void a_validation_set_belongs_to_the_training(void **state)
{
    (void)state;
    const file_path path = path_of("validated");
    const glnn_train_desc how = {.epochs = 2, .batch = 8, .validation = data_of(small)};
    expect_ok(glnn_trainer_save_checkpoint(start_run(small, &how), path.text));
    expect_ok(glnn_trainer_load_checkpoint(start_run(small, &how), path.text));
    glnn_train_desc other = how;
    other.validation = NULL;
    expect_error(glnn_trainer_load_checkpoint(start_run(small, &other), path.text), GLNN_E_ARG,
                 "another validation set: there it has samples=53, here samples=0");
}

static void another_device_is_a_warning(void **state)
{
    (void)state;
    const file_path path = path_of("stage");
    glnn_context_info info = {.size = sizeof info};
    glnn_context *other;
    expect_ok(write_checkpoint(path.text));
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    const glnn_stage stage =
        info.stage == GLNN_STAGE_COMPUTE ? GLNN_STAGE_FRAGMENT : GLNN_STAGE_COMPUTE;
    if (glnn_context_create(&(glnn_context_desc){.stage = stage, .cache_dir = ""}, &other))
        skip();
    glnn_context *own = glnn_test_context();
    context_use(other);
    glnn_trainer *trainer = start_run(small, &small->how);
    const glnn_status status = glnn_trainer_load_checkpoint(trainer, path.text);
    release_learning();
    glnn_context_destroy(other);
    context_use(own);
    assert_int_equal(status, GLNN_OK);
    assert_int_equal(log_count(GLNN_LOG_WARNING), 1);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "another device"));
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), glnn_stage_name(stage)));
    log_clear();
}

/* ---- Other numbers of epochs */

static run with_epochs(int number, int epochs)
{
    run of = runs[number];
    of.how.epochs = epochs;
    return of;
}

/* Trains so many epochs with checkpoints at their ends. */
static void train_epochs(const run *of, const file_path *path)
{
    glnn_train_desc how = of->how;
    how.checkpoint = path->text;
    how.overwrite = true;
    finish(start_run(of, &how));
}

static void more_epochs_go_on_where_fewer_ended(void **state)
{
    static const int chosen[] = {1, 4, 6, 13, 18, 20};
    const file_path path = path_of("short"), whole = path_of("whole"), end = path_of("end");
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chosen); ++i) {
        const int epochs = runs[chosen[i]].how.epochs;
        const run fewer = with_epochs(chosen[i], epochs), more = with_epochs(chosen[i], epochs + 2);
        train_epochs(&fewer, &path);
        glnn_trainer *trainer = start_run(&more, &more.how);
        finish(trainer);
        expect_ok(glnn_trainer_save_checkpoint(trainer, whole.text));
        glnn_train_desc how = more.how;
        how.checkpoint = path.text;
        how.resume = true;
        trainer = start_run(&more, &how);
        finish(trainer);
        expect_ok(glnn_trainer_save_checkpoint(trainer, end.text));
        expect_same_checkpoints(whole.text, end.text, more.name);
        release_learning();
    }
}

static void a_training_that_was_over_goes_on(void **state)
{
    const file_path over = path_of("over"), whole = path_of("whole"), end = path_of("end");
    const run fewer = with_epochs(1, 3), more = with_epochs(1, 4);
    (void)state;
    glnn_trainer *trainer = start_run(&fewer, &fewer.how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, over.text));
    trainer = start_run(&more, &more.how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, whole.text));
    trainer = start_run(&more, &more.how);
    expect_ok(glnn_trainer_load_checkpoint(trainer, over.text));
    assert_false(glnn_trainer_is_finished(trainer));
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, end.text));
    expect_same_checkpoints(whole.text, end.text, "after the end");
}

static void a_training_that_went_back_does_not_go_on(void **state)
{
    const file_path over = path_of("over");
    run back = with_epochs(0, 3);
    (void)state;
    back.how.min_improvement = 1e6f;
    glnn_trainer *trainer = start_run(&back, &back.how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, over.text));
    back.how.epochs = 4;
    trainer = start_run(&back, &back.how);
    expect_error(glnn_trainer_load_checkpoint(trainer, over.text), GLNN_E_ARG,
                 "went back to epoch 1, so that it cannot go on to 4 epochs");
    finish(trainer);
}

static void a_checkpoint_of_a_later_epoch_is_refused(void **state)
{
    const file_path path = path_of("later");
    const run more = with_epochs(0, 3), fewer = with_epochs(0, 2);
    (void)state;
    glnn_trainer *trainer = start_run(&more, &more.how);
    advance(trainer, 13, false);
    expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
    trainer = start_run(&fewer, &fewer.how);
    expect_error(glnn_trainer_load_checkpoint(trainer, path.text), GLNN_E_ARG,
                 "the checkpoint is of epoch 3, but the training has only 2");
    finish(trainer);
}

/* As if it had had so many epochs from the beginning. */
static void the_schedule_goes_on_by_the_new_number_of_epochs(void **state)
{
    const file_path path = path_of("short");
    const run fewer = with_epochs(0, 3), more = with_epochs(0, 5);
    (void)state;
    train_epochs(&fewer, &path);
    glnn_trainer *trainer = start_run(&more, &more.how);
    expect_ok(glnn_trainer_load_checkpoint(trainer, path.text));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    assert_int_equal(glnn_trainer_get_result(trainer)->steps, 19);
    assert_true(glnn_trainer_get_report(trainer)->rate ==
                glnn_schedule_get_rate(&more.how.schedule, 18, 30, 3));
    assert_int_equal(log_count(GLNN_LOG_WARNING), 1);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "had 3 epochs and now has 5"));
    log_clear();
    /* The checkpoint of the longer training has the new number. */
    expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
    expect_ok(glnn_trainer_load_checkpoint(trainer, path.text));
    assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
}

/* ---- Saving and resuming by the description */

/* "saved" and the file before it. */
static const char *former_file(void)
{
    static file_path former;
    former = path_of("saved.1");
    return former.text;
}

static glnn_train_desc saving_to(const run *of, const file_path *path, int every)
{
    glnn_train_desc how = of->how;
    how.checkpoint = path->text;
    how.checkpoint_every = every;
    return how;
}

/* Goes on from the files to the end, which is that of a training without checkpoints. */
static void expect_resumed(const run *of, const file_path *path, uint64_t steps, bool from_former)
{
    const file_path whole = path_of("whole"), end = path_of("end");
    glnn_trainer *plain = start_run(of, &of->how);
    finish(plain);
    expect_ok(glnn_trainer_save_checkpoint(plain, whole.text));
    glnn_train_desc how = saving_to(of, path, 3);
    how.resume = true;
    glnn_trainer *trainer = start_run(of, &how);
    assert_int_equal(glnn_trainer_get_result(trainer)->steps, steps);
    assert_int_equal(glnn_trainer_get_result(trainer)->resumed_former, from_former);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, end.text));
    expect_same_checkpoints(whole.text, end.text, of->name);
}

static file_path start_of_files(const run *of, int every, uint64_t steps)
{
    const file_path path = path_of("saved");
    const glnn_train_desc how = saving_to(of, &path, every);
    remove(path.text);
    remove(former_file());
    advance(start_run(of, &how), steps, false);
    return path;
}

static void every_kind_of_learner_is_resumed_by_its_description(void **state)
{
    static const int chosen[] = {0, 3, 6, 13, 14, 18};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chosen); ++i) {
        const file_path path = start_of_files(&runs[chosen[i]], 3, 8);
        expect_resumed(&runs[chosen[i]], &path, 6, false);
        release_learning();
    }
}

static void zero_steps_mean_the_end_of_each_epoch(void **state)
{
    (void)state;
    const file_path path = start_of_files(small, 0, 16);
    expect_resumed(small, &path, 12, false);
}

static void without_a_file_training_begins(void **state)
{
    (void)state;
    const file_path path = start_of_files(small, 3, 2);
    expect_resumed(small, &path, 0, false);
}

static void the_former_file_takes_the_place_of_a_damaged_one(void **state)
{
    (void)state;
    file_path path = start_of_files(small, 3, 10);
    assert_int_equal(truncate(path.text, 1000), 0);
    expect_resumed(small, &path, 6, true);
    assert_int_equal(log_count(GLNN_LOG_WARNING), 1);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "saved.1"));
    log_clear();
    path = start_of_files(small, 3, 10);
    remove(path.text);
    expect_resumed(small, &path, 6, true);
    assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
}

static void behind_a_link_the_former_file_is_found_too(void **state)
{
    (void)state;
    const file_path link = path_of("link");
    for (int is_lost = 0; is_lost < 2; ++is_lost) {
        const file_path path = start_of_files(small, 3, 10);
        remove(link.text);
        assert_int_equal(symlink("saved", link.text), 0);
        if (is_lost)
            remove(path.text);
        else
            assert_int_equal(truncate(path.text, 1000), 0);
        expect_resumed(small, &link, 6, true);
    }
    remove(link.text);
}

static file_path copy_of(const char *path)
{
    static unsigned char bytes[1u << 16];
    return file_write("copy", bytes, file_read(path, bytes, sizeof bytes));
}

/* A kill between the two renamings of the next save must not leave the damaged file alone. */
static void the_former_file_stays_until_the_damaged_one_is_replaced(void **state)
{
    (void)state;
    const file_path path = start_of_files(small, 3, 10);
    glnn_train_desc how = saving_to(small, &path, 3);
    how.resume = true;
    assert_int_equal(truncate(path.text, 1000), 0);
    file_path kept = copy_of(former_file());
    glnn_trainer *trainer = start_run(small, &how);
    advance(trainer, 9, false);
    expect_same_checkpoints(kept.text, former_file(), "the former file after the first save");
    kept = copy_of(path.text);
    advance(trainer, 12, false);
    expect_same_checkpoints(kept.text, former_file(), "the former file after the second save");
}

static glnn_status resume_from(const file_path *path, glnn_learner *network)
{
    glnn_train_desc how = saving_to(small, path, 3);
    how.resume = true;
    return glnn_learner_train(network, data_of(small), &how, NULL);
}

static glnn_status train_over(const file_path *path, bool overwrite)
{
    glnn_train_desc how = saving_to(small, path, 0);
    how.overwrite = overwrite;
    return glnn_learner_train(small->make(small->choice).learner, data_of(small), &how, NULL);
}

static void both_damaged_files_are_named(void **state)
{
    (void)state;
    const file_path path = start_of_files(small, 3, 10);
    assert_int_equal(truncate(path.text, 1000), 0);
    assert_int_equal(truncate(former_file(), 0), 0);
    expect_error(resume_from(&path, small->make(small->choice).learner), GLNN_E_FORMAT,
                 "saved: not a safetensors file");
    assert_non_null(strstr(glnn_last_error(), "; the checkpoint before it: "));
    assert_non_null(strstr(glnn_last_error(), "saved.1: 0 bytes are too few"));
    assert_non_null(strstr(glnn_last_error(), "; overwrite in place of resume begins anew"));
    assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
    expect_ok(train_over(&path, true));
}

static void a_former_file_of_another_training_takes_no_place(void **state)
{
    (void)state;
    run other = *small;
    other.how.seed = 1;
    const file_path path = start_of_files(&other, 3, 10);
    assert_int_equal(truncate(path.text, 1000), 0);
    expect_error(resume_from(&path, small->make(small->choice).learner), GLNN_E_ARG,
                 "saved: not a safetensors file");
    assert_non_null(strstr(glnn_last_error(), "saved.1: the checkpoint belongs to another"));
    assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
}

static void damaged_files_alone_are_no_fresh_start(void **state)
{
    (void)state;
    const file_path path = start_of_files(small, 3, 10);
    const subject of = small->make(small->choice);
    assert_int_equal(truncate(path.text, 1000), 0);
    remove(former_file());
    expect_error(resume_from(&path, of.learner), GLNN_E_FORMAT, "glnn_learner_train: ");
    assert_non_null(strstr(glnn_last_error(), "saved.1, the checkpoint before it, does not exist; "
                                              "overwrite in place of resume begins anew"));
    assert_int_equal(truncate(path.text, 0), 0);
    expect_error(resume_from(&path, of.learner), GLNN_E_FORMAT, "too few");
    expect_same_networks(of.learner, small->make(small->choice).learner, "after damaged files");
}

static void places_that_cannot_be_written_are_refused_before_the_first_step(void **state)
{
    (void)state;
    const file_path absent = path_of("absent/file");
    const subject of = small->make(small->choice);
    glnn_train_desc how = saving_to(small, &absent, 4);
    expect_error(glnn_learner_train(of.learner, data_of(small), &how, NULL), GLNN_E_IO,
                 "glnn_learner_train: ");
    assert_non_null(strstr(glnn_last_error(), "absent/file: cannot be written"));
    how.checkpoint = "/dev/null";
    expect_error(glnn_learner_train(of.learner, data_of(small), &how, NULL), GLNN_E_IO,
                 "/dev/null: cannot be written: it is not a regular file");
    expect_same_networks(of.learner, small->make(small->choice).learner, "after the errors");
}

/* A training of hours must not be lost by a command without a word. */
static void checkpoints_of_a_former_training_are_not_replaced_in_silence(void **state)
{
    static const char both_ways[] = "continues it with resume, and replaces it with overwrite";
    (void)state;
    const file_path path = start_of_files(small, 3, 10);
    const file_path kept = copy_of(path.text);
    expect_error(train_over(&path, false), GLNN_E_ARG,
                 "saved: there is a checkpoint of epoch 2 already");
    assert_non_null(strstr(glnn_last_error(), both_ways));
    expect_same_checkpoints(kept.text, path.text, "after the error");
    remove(path.text);
    expect_error(train_over(&path, false), GLNN_E_ARG,
                 "saved.1: there is a checkpoint of epoch 1 already");
    file_write("saved", "an essay", 8);
    expect_error(train_over(&path, false), GLNN_E_ARG, "saved: there is a file already");
    expect_ok(train_over(&path, true));
    expect_error(train_over(&path, false), GLNN_E_ARG, "checkpoint of epoch 3");
}

static glnn_trainer *start_saving(const file_path *path, bool resumes)
{
    glnn_train_desc how = saving_to(small, path, 2);
    how.resume = resumes;
    return start_run(small, &how);
}

static file_path start_of_no_files(void)
{
    remove(former_file());
    remove(path_of("saved").text);
    return path_of("saved");
}

/* Both found no file when they began. */
static void a_training_does_not_replace_the_file_of_another_that_began_with_it(void **state)
{
    (void)state;
    const file_path path = start_of_no_files();
    glnn_trainer *first = start_saving(&path, false), *second = start_saving(&path, false);
    advance(first, 2, false);
    const file_path kept = copy_of(path.text);
    expect_error(glnn_trainer_step(second, 2, 0, NULL, NULL), GLNN_E_ARG,
                 "saved: there is a checkpoint of epoch 1 already");
    assert_true(glnn_trainer_is_finished(second));
    assert_int_equal(glnn_trainer_get_result(second)->steps, 2);
    expect_same_checkpoints(kept.text, path.text, "after the error");
    assert_int_equal(access(former_file(), F_OK), -1);
    finish(first);
    assert_int_equal(access(former_file(), F_OK), 0);
}

/* Two trainings go on from the same file, and only the one that saves first keeps it. */
static void a_training_does_not_replace_a_file_that_it_has_not_saved(void **state)
{
    (void)state;
    const file_path path = start_of_no_files();
    glnn_trainer *first = start_saving(&path, false);
    advance(first, 2, false);
    glnn_trainer *second = start_saving(&path, true), *third = start_saving(&path, true);
    advance(second, 4, false);
    const file_path kept = copy_of(path.text);
    expect_error(glnn_trainer_step(third, 2, 0, NULL, NULL), GLNN_E_ARG,
                 "saved: since this training began, another file has come to this place");
    expect_error(glnn_trainer_step(first, 2, 0, NULL, NULL), GLNN_E_ARG,
                 "saved: since this training saved last, another file has come to this place");
    expect_same_checkpoints(kept.text, path.text, "after the errors");
    finish(second);
}

static void a_training_replaces_a_copy_of_its_file_and_goes_on_without_a_file(void **state)
{
    (void)state;
    const file_path path = start_of_no_files();
    glnn_trainer *trainer = start_saving(&path, false);
    advance(trainer, 2, false);
    const file_path copy = copy_of(path.text);
    assert_int_equal(rename(copy.text, path.text), 0);
    advance(trainer, 4, false);
    remove(path.text);
    advance(trainer, 5, false);
    expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
    advance(trainer, 6, false);
}

/* Each save renames the file before it. */
static void a_former_file_that_cannot_be_named_is_refused_before_the_first_step(void **state)
{
    char name[256] = "";
    (void)state;
    file_path path = start_of_no_files();
    glnn_train_desc how = saving_to(small, &path, 4);
    const subject of = small->make(small->choice);
    assert_int_equal(mkdir(former_file(), 0777), 0);
    for (int i = 0; i < 2; ++i) {
        how.overwrite = i == 1;
        expect_error(glnn_learner_train(of.learner, data_of(small), &how, NULL), GLNN_E_IO,
                     "saved: cannot be written: the file before it cannot have the name ");
        assert_non_null(strstr(glnn_last_error(), "saved.1: Is a directory"));
    }
    assert_int_equal(rmdir(former_file()), 0);
    for (size_t length = 254; length <= 255; ++length) {
        memset(name, 'n', length);
        path = path_of(name);
        how.checkpoint = path.text;
        expect_error(glnn_learner_train(of.learner, data_of(small), &how, NULL), GLNN_E_IO,
                     "n.1: File name too long");
    }
    expect_same_networks(of.learner, small->make(small->choice).learner, "after the errors");
}

/* Refuses a training of the learner in three ways: before it begins, and after its start values. */
static void expect_refusals(const run *of, glnn_learner *learner)
{
    const file_path taken = path_of("saved"), absent = path_of("absent/file");
    glnn_train_desc how = saving_to(of, &taken, 4);
    expect_error(glnn_learner_train(learner, data_of(of), &how, NULL), GLNN_E_ARG, "already");
    how.resume = true;
    expect_error(glnn_learner_train(learner, data_of(of), &how, NULL), GLNN_E_ARG,
                 "the checkpoint belongs to another learner");
    how.checkpoint = absent.text;
    expect_error(glnn_learner_train(learner, data_of(of), &how, NULL), GLNN_E_IO,
                 "absent/file: cannot be written");
}

static void save_trained(const run *of, glnn_learner *learner, const char *path)
{
    expect_ok(glnn_learner_train(learner, data_of(of), &of->how, NULL));
    expect_ok(glnn_learner_save(learner, path));
}

static void a_refused_training_leaves_a_learner_without_parameters(void **state)
{
    static unsigned char whole[1 << 16], after[1 << 16];
    int tried = 0;
    (void)state;
    start_of_files(small, 3, 10);
    const file_path refused = path_of("refused"), plain = path_of("plain");
    for (int i = 0; i < run_count; ++i) {
        glnn_learner *learner = runs[i].make(runs[i].choice).learner;
        if (glnn_learner_save(learner, refused.text) == GLNN_OK)
            continue;
        expect_refusals(&runs[i], learner);
        expect_error(glnn_learner_save(learner, refused.text), GLNN_E_STATE, " yet; ");
        save_trained(&runs[i], learner, refused.text);
        save_trained(&runs[i], runs[i].make(runs[i].choice).learner, plain.text);
        const size_t size = file_read(plain.text, whole, sizeof whole);
        assert_int_equal(file_read(refused.text, after, sizeof after), size);
        assert_memory_equal(whole, after, size);
        ++tried;
    }
    assert_true(tried >= 3);
}

/* A process that is killed while it saves leaves a file. */
static void a_file_of_a_killed_process_is_gone_once_another_training_begins(void **state)
{
    static const char left[] = "saved.glnn-saving-0";
    (void)state;
    const file_path path = start_of_files(small, 3, 10);
    glnn_train_desc how = saving_to(small, &path, 3);
    how.resume = true;
    file_write(left, "cut", 3);
    start_run(small, &how);
    assert_int_equal(access(path_of(left).text, F_OK), -1);
    file_write(left, "cut", 3);
    expect_error(train_over(&path, false), GLNN_E_ARG, "there is a checkpoint");
    assert_int_equal(access(path_of(left).text, F_OK), -1);
}

static void a_folder_that_vanishes_ends_training(void **state)
{
    (void)state;
    const file_path folder = path_of("folder"), inside = path_of("folder/file");
    glnn_train_desc how = saving_to(small, &inside, 4), plain = small->how;
    const subject of = small->make(small->choice), same = small->make(small->choice);
    assert_int_equal(mkdir(folder.text, 0777), 0);
    glnn_trainer *trainer = trainer_of(&of, data_of(small), &how);
    assert_int_equal(rmdir(folder.text), 0);
    expect_error(glnn_trainer_step(trainer, 0, 0, NULL, NULL), GLNN_E_IO, "folder/file");
    assert_int_equal(glnn_trainer_get_result(trainer)->steps, 4);
    advance(trainer_of(&same, data_of(small), &plain), 4, false);
    expect_same_networks(of.learner, same.learner, "parameters after the error");
}

static glnn_curve *new_curve(void)
{
    glnn_curve *curve;
    expect_ok(glnn_curve_create(&curve));
    return curve;
}

static void a_learning_curve_is_resumed_whole(void **state)
{
    (void)state;
    const file_path path = path_of("curved");
    glnn_curve *whole = new_curve(), *resumed = new_curve();
    glnn_train_desc how = small->how;
    how.curve = whole;
    glnn_trainer *trainer = start_run(small, &how);
    advance(trainer, 13, false);
    expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
    finish(trainer);
    how.curve = resumed;
    trainer = start_run(small, &how);
    expect_ok(glnn_trainer_load_checkpoint(trainer, path.text));
    assert_int_equal(glnn_curve_get_count(resumed), 2);
    finish(trainer);
    assert_int_equal(glnn_curve_get_count(resumed), 3);
    for (int i = 0; i < 3; ++i) {
        const glnn_report *left = glnn_curve_get_report(whole, i);
        const glnn_report *right = glnn_curve_get_report(resumed, i);
        assert_int_equal(left->epoch, right->epoch);
        assert_int_equal(left->step, right->step);
        assert_true(left->training.loss == right->training.loss);
        assert_true(left->validation.loss == right->validation.loss);
    }
    expect_ok(glnn_trainer_load_checkpoint(start_run(small, &small->how), path.text));
    release_learning();
    glnn_curve_destroy(whole);
    glnn_curve_destroy(resumed);
}

typedef struct stopping {
    int reports, last;
} stopping;

static bool stop_at_last(void *user, const glnn_report *report)
{
    stopping *at = user;
    return report->event == GLNN_EVENT_EPOCH || ++at->reports < at->last;
}

/* Metrics arrive in time only if the GPU is waited for between two reports. */
static void a_training_that_its_report_function_stopped_is_resumed_there(void **state)
{
    (void)state;
    const file_path path = start_of_files(small, 0, 1);
    stopping at = {.last = 2};
    glnn_train_desc how = saving_to(small, &path, 0);
    how.report = stop_at_last;
    how.user = &at;
    how.report_every = 1;
    glnn_trainer *trainer = start_run(small, &how);
    while (at.reports < at.last) {
        bool ended;
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, &ended));
        expect_ok(glnn_context_finish(glnn_test_context()));
        if (ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
    }
    const uint64_t steps = glnn_trainer_get_result(trainer)->steps;
    assert_true(glnn_trainer_is_finished(trainer) && glnn_trainer_get_result(trainer)->stopped);
    assert_true(steps % 6 != 0);
    expect_resumed(small, &path, steps, false);
}

static void descriptions_that_make_no_checkpoints_are_refused(void **state)
{
    (void)state;
    glnn_learner *network = small->make(small->choice).learner;
    const glnn_dataset *data = data_of(small);
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.resume = true}, NULL),
                 GLNN_E_ARG, "no path");
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.checkpoint_every = 3}, NULL),
                 GLNN_E_ARG, "no path");
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.checkpoint = ""}, NULL),
                 GLNN_E_ARG, "path of the checkpoint is empty");
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.overwrite = true}, NULL),
                 GLNN_E_ARG, "no path");
    expect_error(glnn_learner_train(
                     network, data,
                     &(glnn_train_desc){.checkpoint = "file", .resume = true, .overwrite = true},
                     NULL),
                 GLNN_E_ARG, "does one of them");
    expect_error(
        glnn_learner_train(network, data,
                           &(glnn_train_desc){.checkpoint = "file", .checkpoint_every = -1}, NULL),
        GLNN_E_ARG, "checkpoint_every is -1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNER_FILE_TESTS(checkpoints),
        LEARNING_TEST(one_wrong_bit_in_any_byte_is_noticed),
        LEARNING_TEST(other_files_are_no_checkpoints),
        LEARNING_TEST(the_first_difference_to_another_training_is_named),
        LEARNING_TEST(floats_in_a_sentence_have_as_few_digits_as_they_need),
        LEARNING_TEST(the_first_difference_to_another_data_set_is_named),
        LEARNING_TEST(a_validation_set_belongs_to_the_training),
        LEARNING_TEST(another_device_is_a_warning),
        LEARNING_TEST(more_epochs_go_on_where_fewer_ended),
        LEARNING_TEST(a_training_that_was_over_goes_on),
        LEARNING_TEST(a_training_that_went_back_does_not_go_on),
        LEARNING_TEST(a_checkpoint_of_a_later_epoch_is_refused),
        LEARNING_TEST(the_schedule_goes_on_by_the_new_number_of_epochs),
        LEARNING_TEST(every_kind_of_learner_is_resumed_by_its_description),
        LEARNING_TEST(zero_steps_mean_the_end_of_each_epoch),
        LEARNING_TEST(without_a_file_training_begins),
        LEARNING_TEST(the_former_file_takes_the_place_of_a_damaged_one),
        LEARNING_TEST(behind_a_link_the_former_file_is_found_too),
        LEARNING_TEST(the_former_file_stays_until_the_damaged_one_is_replaced),
        LEARNING_TEST(both_damaged_files_are_named),
        LEARNING_TEST(a_former_file_of_another_training_takes_no_place),
        LEARNING_TEST(damaged_files_alone_are_no_fresh_start),
        LEARNING_TEST(places_that_cannot_be_written_are_refused_before_the_first_step),
        LEARNING_TEST(checkpoints_of_a_former_training_are_not_replaced_in_silence),
        LEARNING_TEST(a_training_does_not_replace_the_file_of_another_that_began_with_it),
        LEARNING_TEST(a_training_does_not_replace_a_file_that_it_has_not_saved),
        LEARNING_TEST(a_training_replaces_a_copy_of_its_file_and_goes_on_without_a_file),
        LEARNING_TEST(a_former_file_that_cannot_be_named_is_refused_before_the_first_step),
        LEARNING_TEST(a_refused_training_leaves_a_learner_without_parameters),
        LEARNING_TEST(a_file_of_a_killed_process_is_gone_once_another_training_begins),
        LEARNING_TEST(a_folder_that_vanishes_ends_training),
        LEARNING_TEST(a_learning_curve_is_resumed_whole),
        LEARNING_TEST(a_training_that_its_report_function_stopped_is_resumed_there),
        LEARNING_TEST(descriptions_that_make_no_checkpoints_are_refused),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
