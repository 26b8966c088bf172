/* The messages of an exchange: matrices of all layouts and storages and numbers of main memory, of
 * which several are under way. The messenger fails at each of its calls. */
#include "support/messenger.h"
#include "support/relay.h"

#include "base/status.h"
#include "gl/gl.h"
#include "learn/exchange/exchange.h"
#include "tex/matrix.h"

#include <stdio.h>

enum { RANKS = 3, COLUMNS = 11, NUMBERS = 5 };

/* Counts the calls of a messenger, and fails at one of them. */
typedef struct counted {
    relay relay; /* the first member: functions of a messenger receive its address */
    int calls;
    int fails_at; /* 0: never */
    bool has_failed;
    bool is_late_call; /* a function was called after one had failed */
    int allocated;     /* blocks of memory that were not released */
} counted;

/* As a messenger has to, it tells the others of its own failure. */
static glnn_status count_call(relay *of, relay_call call)
{
    counted *c = (counted *)of;
    (void)call;
    c->is_late_call = c->is_late_call || c->has_failed;
    if (++c->calls != c->fails_at)
        return GLNN_OK;
    c->has_failed = true;
    (of->inner->fail)(of->inner->user, "its cable is cut");
    return GLNN_E_PROCESS;
}

static const char *get_error(void *user)
{
    const counted *c = user;
    const glnn_messenger *inner = c->relay.inner;
    return c->has_failed ? "rank 0 failed: its cable is cut" : inner->get_error(inner->user);
}

/* If memory runs out, the messenger itself goes on. */
static glnn_status allocate(void *user, size_t bytes, void **out)
{
    counted *c = user;
    *out = NULL;
    if (c->has_failed || ++c->calls == c->fails_at) {
        c->has_failed = true;
        return GLNN_E_NOMEM;
    }
    *out = malloc(bytes);
    c->allocated += *out != NULL;
    return *out ? GLNN_OK : GLNN_E_NOMEM;
}

static void release(void *user, void *memory)
{
    counted *c = user;
    c->allocated -= memory != NULL;
    free(memory);
}

static glnn_messenger messenger_of(counted *c)
{
    glnn_messenger made = relay_messenger(&c->relay);
    made.host_ranks = 1;
    made.get_error = get_error;
    made.allocate = allocate;
    made.release = release;
    return made;
}

/* ---- Messages */

/* Small integers, whose sums are exact. */
static float number_of(int rank, int message, int place)
{
    return (float)((rank + 1) * (place % 29) - 7 * message);
}

/* The exchange of a process: one matrix of each kind of message, and numbers. */
typedef struct cargo {
    const team_member *self;
    glnn__exchange *exchange;
    int rows;
    glnn_matrix *sum, *weighted, *own, *all[RANKS];
    float numbers[NUMBERS];
    double total;
} cargo;

enum { SUM, WEIGHTED, GATHER, MAIN, ONES };

static glnn_status make(cargo *c, glnn_layout layout, int message, glnn_matrix **out)
{
    float *elements = malloc((size_t)c->rows * COLUMNS * sizeof *elements);
    assert_non_null(elements);
    for (int i = 0; i < c->rows * COLUMNS; ++i)
        elements[i] = number_of(c->self->rank, message, i);
    const glnn_status status = glnn_matrix_create(
        c->self->ctx,
        &(glnn_matrix_desc){
            .rows = c->rows, .columns = COLUMNS, .layout = layout, .data = elements},
        out);
    free(elements);
    return status;
}

static void load(cargo *c, glnn_layout layout)
{
    expect_ok(make(c, layout, SUM, &c->sum));
    expect_ok(make(c, layout, WEIGHTED, &c->weighted));
    expect_ok(make(c, layout, GATHER, &c->own));
    for (int r = 0; r < c->self->ranks; ++r)
        if (r != c->self->rank)
            expect_ok(make(c, layout, ONES, &c->all[r]));
    for (int i = 0; i < NUMBERS; ++i)
        c->numbers[i] = number_of(c->self->rank, MAIN, i);
    c->total = c->self->rank + 0.5;
}

static void unload(cargo *c)
{
    glnn_matrix_destroy(c->sum);
    glnn_matrix_destroy(c->weighted);
    glnn_matrix_destroy(c->own);
    for (int r = 0; r < c->self->ranks; ++r)
        glnn_matrix_destroy(c->all[r]);
}

/* All messages are under way before the first one ends. `turn` changes which number sums and which
 * one gathers. */
static glnn_status travel(cargo *c, int turn)
{
    glnn__exchange *exchange = c->exchange;
    const int summed = turn % 2, gathered = 1 - turn % 2;
    const float weight = 1.0f / (float)(1 << c->self->rank);
    GLNN__TRY(glnn__exchange_begin(exchange, summed, c->sum));
    GLNN__TRY(glnn__exchange_begin_gather(exchange, gathered, c->own, c->all));
    GLNN__TRY(glnn__exchange_begin_weighted(exchange, WEIGHTED + 2, weight, c->weighted));
    GLNN__TRY(glnn__exchange_begin_numbers(exchange, MAIN + 2, c->numbers, NUMBERS));
    GLNN__TRY(glnn__exchange_end(exchange, summed));
    GLNN__TRY(glnn__exchange_sum(exchange, &c->total, 1));
    GLNN__TRY(glnn__exchange_end(exchange, gathered));
    GLNN__TRY(glnn__exchange_end(exchange, WEIGHTED + 2));
    return glnn__exchange_end(exchange, MAIN + 2);
}

/* The sum of a number over the ranks, each with its weight. */
static float sum_of(int ranks, int message, int place, bool is_weighted)
{
    float sum = 0;
    for (int r = 0; r < ranks; ++r)
        sum += number_of(r, message, place) / (float)(is_weighted ? 1 << r : 1);
    return sum;
}

static void expect_elements(const cargo *c, const glnn_matrix *got, int message, int rank,
                            const char *what)
{
    float *elements = malloc((size_t)c->rows * COLUMNS * sizeof *elements);
    assert_non_null(elements);
    expect_ok(glnn_matrix_download(c->self->ctx, got, NULL, elements, 0));
    for (int i = 0; i < c->rows * COLUMNS; ++i) {
        const float want = rank < 0 ? sum_of(c->self->ranks, message, i, message == WEIGHTED)
                                    : number_of(rank, message, i);
        if (elements[i] != want)
            fail_at(__FILE__, __LINE__, "%s, element %d: %g, not %g", what, i, (double)elements[i],
                    (double)want);
    }
    free(elements);
}

static void expect_arrived(const cargo *c)
{
    const int ranks = c->self->ranks;
    expect_elements(c, c->sum, SUM, -1, "sum");
    expect_elements(c, c->weighted, WEIGHTED, -1, "weighted sum");
    for (int r = 0; r < ranks; ++r)
        expect_elements(c, r == c->self->rank ? c->own : c->all[r], GATHER, r, "gathered");
    for (int i = 0; i < NUMBERS; ++i)
        assert_true(c->numbers[i] == sum_of(ranks, MAIN, i, false));
    assert_true(c->total == ranks * ranks / 2.0);
}

/* Layouts and sizes change, so that the messages of a number need other memory. */
static glnn_status exchange_all(const team_member *self, const glnn_messenger *messenger,
                                int last_rows)
{
    const int sizes[] = {1, 13, 13, 70, last_rows};
    const glnn_exchange_desc desc = {.messenger = messenger};
    cargo c = {.self = self};
    expect_ok(glnn__gl_enter(self->ctx));
    expect_ok(glnn__exchange_create(self->ctx, &desc, &c.exchange));
    glnn_status status = GLNN_OK;
    for (int turn = 0; turn < (int)COUNT_OF(sizes) && sizes[turn] > 0 && !status; ++turn) {
        c.rows = sizes[turn];
        load(&c, rendered_layout(turn));
        status = travel(&c, turn / 2);
        if (!status)
            expect_arrived(&c);
        else
            glnn__exchange_fail(c.exchange, status);
        if (status) {
            glnn__exchange_destroy(c.exchange);
            c.exchange = NULL;
        }
        unload(&c);
    }
    glnn__exchange_destroy(c.exchange);
    return glnn__gl_leave(self->ctx, status);
}

/* ---- Tests */

typedef struct plan {
    int fails_at;
    int last_rows; /* of a matrix after the usual ones; 0: none */
    glnn_status status[RANKS];
    char sentence[RANKS][256];
    int calls;
} plan;

static void run(const team_member *self)
{
    plan *of = self->user;
    counted c = {.relay = {.inner = self->messenger, .before = count_call},
                 .fails_at = self->rank == 0 ? of->fails_at : 0};
    const glnn_messenger messenger = messenger_of(&c);
    of->status[self->rank] = exchange_all(self, &messenger, of->last_rows);
    snprintf(of->sentence[self->rank], sizeof of->sentence[0], "%s",
             of->status[self->rank] ? glnn_last_error() : "");
    assert_int_equal(c.allocated, 0);
    assert_false(c.is_late_call);
    if (self->rank == 0)
        of->calls = c.calls;
}

/* A matrix of so many rows is worth several threads. */
enum { LARGE_ROWS = 20000 };

static void messages_under_way_at_once_arrive(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= RANKS; ++ranks)
        for (int late = 0; late < 2; ++late) {
            plan of = {.last_rows = late ? 0 : LARGE_ROWS};
            team_run(&(team_desc){.ranks = ranks, .is_late = late}, run, &of);
            for (int r = 0; r < ranks; ++r)
                if (of.status[r])
                    fail_at(__FILE__, __LINE__, "rank %d of %d: %s", r, ranks, of.sentence[r]);
        }
}

/* Messages that all processes have begun arrive, whatever happens to one of the processes then. */
enum { LAST_ENDS = 5 };

/* At each of its calls, until it makes fewer. */
static void a_messenger_that_fails_once_ends_the_exchange_on_all(void **state)
{
    (void)state;
    plan whole = {0};
    int failures = 0;
    team_run(&(team_desc){.ranks = 2, .is_late = true}, run, &whole);
    for (int call = 1;; ++call, ++failures) {
        plan of = {.fails_at = call};
        team_run(&(team_desc){.ranks = 2, .is_late = true}, run, &of);
        if (!of.status[0] && !of.status[1])
            break;
        assert_true(of.status[0] == GLNN_E_PROCESS || of.status[0] == GLNN_E_NOMEM);
        assert_non_null(strstr(of.sentence[0], "cable is cut"));
        if (call > whole.calls - LAST_ENDS && !of.status[1])
            continue;
        if (of.status[1] != GLNN_E_PROCESS || !strstr(of.sentence[1], "rank 0 failed: "))
            fail_at(__FILE__, __LINE__, "call %d: rank 1 says: %s", call, of.sentence[1]);
    }
    assert_in_range(failures, 40, 400);
    log_clear();
}

static void compare_text(const team_member *self, const char *text)
{
    plan *of = self->user;
    const glnn_exchange_desc desc = {.messenger = self->messenger};
    glnn__exchange *exchange = NULL;
    const glnn__exchange_text compared = {.subject = "training", .text = text};
    expect_ok(glnn__exchange_create(self->ctx, &desc, &exchange));
    of->status[self->rank] = glnn__exchange_compare(exchange, &compared, 1);
    snprintf(of->sentence[self->rank], sizeof of->sentence[0], "%s", glnn_last_error());
    glnn__exchange_fail(exchange, of->status[self->rank]);
    glnn__exchange_destroy(exchange);
}

/* All processes compare a text, and fail with this sentence. */
static void expect_difference(int ranks, void (*compare)(const team_member *self),
                              const char *sentence)
{
    plan of = {0};
    team_run(&(team_desc){.ranks = ranks}, compare, &of);
    for (int r = 0; r < ranks; ++r) {
        assert_int_equal(of.status[r], GLNN_E_ARG);
        assert_string_equal(of.sentence[r], sentence);
    }
    log_clear();
}

/* Rank 1 has a text of a megabyte and a byte. */
static void compare_long(const team_member *self)
{
    enum { LENGTH = (1 << 20) + 1 };
    char *text = calloc(LENGTH + 1, 1);
    assert_non_null(text);
    memset(text, 'x', self->rank == 1 ? LENGTH : 1);
    compare_text(self, text);
    free(text);
}

static void all_refuse_the_text_of_a_process_that_has_more_than_a_megabyte(void **state)
{
    (void)state;
    expect_difference(2, compare_long,
                      "rank 1 describes its training in 1048577 bytes; at most 1048576 are read");
}

/* The longest text is that of rank 1, and its last line is another one. */
static void compare_ends(const team_member *self)
{
    compare_text(self, self->rank == 1 ? "batch=12\nepochs=100" : "batch=12\nepochs=20");
}

static void the_last_line_of_a_text_is_named_alone(void **state)
{
    (void)state;
    expect_difference(RANKS, compare_ends,
                      "rank 1 has another training than rank 0: there epochs=100, on rank 0 "
                      "epochs=20");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_under_way_at_once_arrive),
        TEST(a_messenger_that_fails_once_ends_the_exchange_on_all),
        TEST(all_refuse_the_text_of_a_process_that_has_more_than_a_megabyte),
        TEST(the_last_line_of_a_text_is_named_alone),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("exchange messages", tests, test_group_setup,
                                       test_group_teardown);
}
