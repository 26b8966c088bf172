#include "relay.h"

static glnn_status before(relay *of, relay_call call)
{
    return of->before ? of->before(of, call) : GLNN_OK;
}

static glnn_status after(relay *of, relay_call call, glnn_status status)
{
    if (of->after)
        of->after(of, call);
    return status;
}

static glnn_status gather(void *user, const void *own, size_t bytes, void *all)
{
    relay *of = user;
    const glnn_messenger *to = of->inner;
    const glnn_status status = before(of, RELAY_GATHER);
    return status ? status : after(of, RELAY_GATHER, to->gather(to->user, own, bytes, all));
}

static glnn_status begin_sum(void *user, int number, float *values, size_t count)
{
    relay *of = user;
    const glnn_messenger *to = of->inner;
    const glnn_status status = before(of, RELAY_BEGIN);
    return status ? status : after(of, RELAY_BEGIN, to->begin_sum(to->user, number, values, count));
}

static glnn_status begin_gather(void *user, int number, void *values, const size_t *begins)
{
    relay *of = user;
    const glnn_messenger *to = of->inner;
    const glnn_status status = before(of, RELAY_BEGIN);
    return status ? status
                  : after(of, RELAY_BEGIN, to->begin_gather(to->user, number, values, begins));
}

static glnn_status is_done(void *user, int number, bool *done)
{
    relay *of = user;
    const glnn_messenger *to = of->inner;
    const glnn_status status = before(of, RELAY_IS_DONE);
    return status ? status : after(of, RELAY_IS_DONE, to->is_done(to->user, number, done));
}

static glnn_status end(void *user, int number)
{
    relay *of = user;
    const glnn_messenger *to = of->inner;
    const glnn_status status = before(of, RELAY_END);
    return status ? status : after(of, RELAY_END, to->end(to->user, number));
}

static void fail_all(void *user, const char *sentence)
{
    const relay *of = user;
    of->inner->fail(of->inner->user, sentence);
}

static const char *get_error(void *user)
{
    const relay *of = user;
    return of->inner->get_error(of->inner->user);
}

static glnn_status allocate(void *user, size_t bytes, void **out)
{
    const relay *of = user;
    return of->inner->allocate(of->inner->user, bytes, out);
}

static void release(void *user, void *memory)
{
    const relay *of = user;
    of->inner->release(of->inner->user, memory);
}

glnn_messenger relay_messenger(relay *of)
{
    return (glnn_messenger){.size = sizeof(glnn_messenger),
                            .rank = of->inner->rank,
                            .ranks = of->inner->ranks,
                            .host_ranks = of->inner->host_ranks,
                            .user = of,
                            .gather = gather,
                            .begin_sum = begin_sum,
                            .begin_gather = begin_gather,
                            .is_done = is_done,
                            .end = end,
                            .fail = fail_all,
                            .get_error = get_error,
                            .allocate = allocate,
                            .release = release};
}
