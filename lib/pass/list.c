#include "pass/list.h"

#include "base/clock.h"
#include "base/status.h"
#include "pass/destination.h"
#include "pass/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { PASS, ACQUIRE, RELEASE, CALL } kind;

typedef struct recorded_pass {
    glnn__program *program;
    glnn__pass pass;
    glnn__epilogue epilogue; /* which pass.epilogue points to, if there is one */
} recorded_pass;

/* A matrix of the list, which has a texture between its two entries. */
typedef struct scratch {
    glnn_matrix *matrix;
    glnn__extent extent;
} scratch;

typedef struct recorded_call {
    glnn__list_call_fn *call;
    void *self;
    size_t size;
    _Alignas(max_align_t) char arguments[GLNN__LIST_ARGUMENTS];
} recorded_call;

typedef struct entry {
    kind kind;
    glnn__label label;
    union {
        recorded_pass pass;
        scratch scratch;
        recorded_call call;
    };
} entry;

struct glnn__list {
    glnn_context *ctx;
    glnn__list *former; /* that goes on after this one, while it is recorded */
    unsigned age;       /* of the context, when it was recorded */
    bool is_started;    /* all programs are with the driver */
    bool is_short;      /* memory ran out while it was recorded */
    const char *failed; /* the call of the entry at which the last run ended; NULL: at none */
    entry *entries;
    int count, room;
};

/* ---- Recording */

/* A new entry before entry `at`; NULL without memory. */
static entry *insert(glnn__list *list, int at, kind of)
{
    if (list->count == list->room) {
        const int room = 2 * list->room + 16;
        entry *entries = realloc(list->entries, (size_t)room * sizeof *entries);
        if (!entries)
            return NULL;
        list->entries = entries;
        list->room = room;
    }
    entry *added = &list->entries[at];
    memmove(added + 1, added, (size_t)(list->count++ - at) * sizeof *added);
    added->kind = of;
    added->label = list->ctx->label;
    return added;
}

static glnn_status fail_memory(const glnn__list *list)
{
    return glnn__fail(GLNN_E_NOMEM, "no memory to record %d passes", list->count + 1);
}

static void note_matrices(const glnn__pass *pass)
{
    glnn__matrix_note_listed(pass->output);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix)
            glnn__matrix_note_listed(pass->operands[i].matrix);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn_matrix *m = glnn__pass_side_output(pass, i);
        if (m)
            glnn__matrix_note_listed(m);
    }
}

glnn_status glnn__list_add(glnn__list *list, glnn__program *program, const glnn__pass *pass)
{
    entry *added = insert(list, list->count, PASS);
    if (!added)
        return fail_memory(list);
    added->pass = (recorded_pass){.program = program, .pass = *pass};
    if (pass->epilogue)
        added->pass.epilogue = *pass->epilogue;
    note_matrices(pass);
    glnn__program_note_listed(list->ctx, program);
    return GLNN_OK;
}

glnn_status glnn__list_call(glnn_context *ctx, glnn__list_call_fn *call, void *self,
                            const void *arguments, size_t size)
{
    glnn__list *list = ctx->list;
    if (!list)
        return call(self, arguments);
    entry *added = insert(list, list->count, CALL);
    if (!added)
        return fail_memory(list);
    added->call = (recorded_call){.call = call, .self = self, .size = size};
    if (size > 0)
        memcpy(added->call.arguments, arguments, size);
    return GLNN_OK;
}

static bool is_about(const entry *of, const glnn_matrix *matrix)
{
    const glnn__pass *pass = &of->pass.pass;
    bool found = of->kind == PASS && pass->output == matrix;
    for (int i = 0; i < GLNN__MAX_OPERANDS && of->kind == PASS; ++i)
        found = found || pass->operands[i].matrix == matrix;
    return found;
}

/* The first entry that is about a matrix; the end of the list if none is. */
static int find_first(const glnn__list *list, const glnn_matrix *matrix)
{
    int at = 0;
    while (at < list->count && !is_about(&list->entries[at], matrix))
        ++at;
    return at;
}

/* The list takes the matrix over. Without memory, its recording fails. */
static void keep_scratch(glnn__list *list, glnn_matrix *matrix)
{
    const scratch kept = {matrix, matrix->texture->extent};
    entry *acquire = insert(list, find_first(list, matrix), ACQUIRE);
    if (acquire)
        acquire->scratch = kept;
    entry *release = acquire ? insert(list, list->count, RELEASE) : NULL;
    if (release) {
        release->scratch = kept;
        glnn__texture_release(list->ctx, matrix->texture);
        matrix->texture = NULL;
    } else {
        list->is_short = true;
        glnn_matrix_destroy(matrix);
    }
}

void glnn__scratch_destroy(glnn_matrix *matrix)
{
    glnn__list *list = matrix ? matrix->ctx->list : NULL;
    if (list && find_first(list, matrix) < list->count)
        keep_scratch(list, matrix);
    else
        glnn_matrix_destroy(matrix);
}

/* Entries no longer move. */
static void finish(glnn__list *list)
{
    for (int i = 0; i < list->count; ++i) {
        recorded_pass *pass = &list->entries[i].pass;
        if (list->entries[i].kind == PASS && pass->pass.epilogue)
            pass->pass.epilogue = &pass->epilogue;
    }
}

glnn_status glnn__list_begin(glnn_context *ctx, glnn__list **out)
{
    glnn__list *list = *out = calloc(1, sizeof *list);
    if (!list)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a list of passes");
    *list = (glnn__list){.ctx = ctx, .former = ctx->list, .age = ctx->lists_age};
    ctx->list = list;
    return GLNN_OK;
}

glnn_status glnn__list_end(glnn__list *list)
{
    list->ctx->list = list->former;
    finish(list);
    if (list->is_short)
        return fail_memory(list);
    return glnn__list_is_current(list)
               ? GLNN_OK
               : glnn__fail(GLNN_E_STATE, "a matrix or a kernel was destroyed while a list was "
                                          "recorded");
}

glnn_status glnn__list_record(glnn_context *ctx, glnn__describe_fn *describe, void *self,
                              const void *what, glnn__list **out)
{
    GLNN__TRY(glnn__list_begin(ctx, out));
    glnn_status status = describe(self, what);
    const glnn_status ended = glnn__list_end(*out);
    status = status ? status : ended;
    if (status) {
        glnn__list_destroy(*out);
        *out = NULL;
    }
    return status;
}

void glnn__list_destroy(glnn__list *list)
{
    if (!list)
        return;
    if (list->ctx->list == list)
        list->ctx->list = list->former;
    glnn__programs *programs = glnn__programs_of(list->ctx);
    if (programs)
        programs->has_stale_units = true;
    for (int i = 0; i < list->count; ++i) {
        glnn_matrix *matrix = list->entries[i].scratch.matrix;
        if (list->entries[i].kind != RELEASE)
            continue;
        matrix->is_listed = false;
        glnn_matrix_destroy(matrix);
    }
    free(list->entries);
    free(list);
}

bool glnn__list_is_current(const glnn__list *list)
{
    return list->age == list->ctx->lists_age;
}

static bool claims_layers(glnn_context *ctx, const recorded_pass *of)
{
    bool claims = true;
    for (int i = 0; i < GLNN__FACTORS; ++i)
        if (of->program->variant.operands[i].layered)
            claims = claims && glnn__draw_claims_layers(ctx, i);
    return claims;
}

bool glnn__list_claims(const glnn__list *list)
{
    bool claims = true;
    for (int i = 0; i < list->count && claims && list->ctx->host; ++i)
        if (list->entries[i].kind == PASS)
            claims = claims_layers(list->ctx, &list->entries[i].pass);
    return claims;
}

int glnn__list_count(const glnn__list *list)
{
    int count = 0;
    for (int i = 0; list && i < list->count; ++i)
        count += list->entries[i].kind == PASS;
    return count;
}

const glnn__pass *glnn__list_get(const glnn__list *list, int number, const glnn__label **label)
{
    const entry *at = list->entries;
    while (at->kind != PASS || number-- > 0)
        ++at;
    *label = &at->label;
    return &at->pass.pass;
}

/* ---- Replaying */

static glnn_status acquire(glnn_context *ctx, const scratch *of)
{
    glnn_matrix *m = of->matrix;
    return glnn__texture_acquire(ctx, m->layout, m->storage, of->extent, m->name, &m->texture);
}

static void release(glnn_context *ctx, const scratch *of)
{
    glnn__texture_release(ctx, of->matrix->texture);
    of->matrix->texture = NULL;
}

/* After a failure half-way. */
static void release_all(const glnn__list *list)
{
    for (int i = 0; i < list->count; ++i) {
        if (list->entries[i].kind == RELEASE)
            release(list->ctx, &list->entries[i].scratch);
        else if (list->entries[i].kind == PASS)
            glnn__destination_drop_parts(list->ctx, &list->entries[i].pass.pass);
    }
}

/* The driver can then compile several programs at the same time. */
static glnn_status start(glnn__list *list)
{
    glnn_context *ctx = list->ctx;
    const uint64_t before = ctx->counters.programs_compiled;
    for (int i = 0; i < list->count && !list->is_started; ++i) {
        list->failed = list->entries[i].label.call;
        if (list->entries[i].kind == PASS)
            GLNN__TRY(
                glnn__program_start(ctx, glnn__programs_of(ctx), list->entries[i].pass.program));
    }
    list->is_started = true;
    glnn__programs_log(ctx, before);
    return GLNN_OK;
}

static glnn_status replay_pass(glnn_context *ctx, const recorded_pass *of)
{
    const glnn__watch *watch = ctx->watch;
    GLNN__TRY(glnn__draw_check(ctx, &of->pass));
    if (watch)
        watch->before(watch->self, of->program, &of->pass);
    GLNN__TRY(glnn__pass_draw(ctx, of->program, &of->pass));
    if (watch)
        watch->after(watch->self, &of->pass);
    return GLNN_OK;
}

static void forget(const glnn_context *ctx)
{
    const glnn__watch *watch = ctx->watch;
    if (watch)
        watch->forget(watch->self);
}

static glnn_status replay_call(glnn_context *ctx, const recorded_call *of)
{
    GLNN__TRY(of->call(of->self, of->arguments));
    forget(ctx);
    return GLNN_OK;
}

static glnn_status replay_entry(glnn_context *ctx, const entry *of)
{
    switch (of->kind) {
    case PASS:
        return replay_pass(ctx, &of->pass);
    case ACQUIRE:
        return acquire(ctx, &of->scratch);
    case RELEASE:
        release(ctx, &of->scratch);
        return GLNN_OK;
    default:
        return replay_call(ctx, &of->call);
    }
}

static glnn_status replay(glnn__list *list)
{
    glnn_context *ctx = list->ctx;
    for (int i = 0; i < list->count; ++i) {
        const uint64_t step = ctx->label.step;
        ctx->label = list->entries[i].label;
        ctx->label.step = step;
        list->failed = ctx->label.call;
        GLNN__TRY(replay_entry(ctx, &list->entries[i]));
    }
    list->failed = NULL;
    return GLNN_OK;
}

glnn_status glnn__list_replay(glnn__list *list)
{
    glnn_context *ctx = list->ctx;
    GLNN__TRY(glnn__gl_enter(ctx));
    const glnn__label former = ctx->label;
    forget(ctx);
    glnn_status status = start(list);
    if (!status)
        status = replay(list);
    if (status)
        release_all(list);
    return glnn__gl_leave(ctx, glnn__label_end(ctx, former, status));
}

const char *glnn__list_failed(const glnn__list *list)
{
    return list->failed;
}

/* ---- Compiling ahead */

/* Whether the next piece of work for a program can be done now. */
static bool may_work(const glnn__program *program, const glnn__list_work *work)
{
    const bool waits = program->name && program->text.content.text && !isinf(work->until) &&
                       !glnn__program_is_compiled(program);
    return !waits && (work->pieces == 0 || glnn__clock_seconds() < work->until);
}

static glnn_status compile_pass(glnn_context *ctx, const recorded_pass *of, glnn__list_work *work)
{
    if (of->program->is_used) {
        work->complete++;
        return GLNN_OK;
    }
    work->left++;
    if (!may_work(of->program, work))
        return GLNN_OK;
    work->pieces++;
    return glnn__pass_work(ctx, of->program, &of->pass);
}

static glnn_status compile_entry(glnn_context *ctx, const entry *of, glnn__list_work *work)
{
    if (of->kind == PASS)
        return compile_pass(ctx, &of->pass, work);
    return of->kind == CALL ? GLNN_OK : replay_entry(ctx, of);
}

glnn_status glnn__list_compile(glnn__list *list, glnn__list_work *work)
{
    glnn_status status = GLNN_OK;
    int before;
    do {
        before = work->pieces;
        work->complete = work->left = 0;
        for (int i = 0; i < list->count && !status; ++i)
            status = compile_entry(list->ctx, &list->entries[i], work);
    } while (!status && work->left > 0 && work->pieces > before &&
             glnn__clock_seconds() < work->until);
    if (status)
        release_all(list);
    return status;
}
