#include "pass/list_cache.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* More lists than an owner with a usual description needs. */
#define MOST_LISTS 1024

typedef struct glnn__listed {
    glnn__list_key key;
    unsigned before, after; /* flags */
    glnn__list *list;
} listed;

static listed *find(const glnn__lists *lists, const glnn__list_key *key, unsigned flags)
{
    for (int i = 0; i < lists->count; ++i) {
        listed *l = &lists->all[i];
        if (l->before == flags && memcmp(&l->key, key, sizeof *key) == 0 &&
            glnn__list_is_current(l->list) && glnn__list_claims(l->list))
            return l;
    }
    return NULL;
}

static void destroy(glnn__lists *lists, glnn__list *list)
{
    for (int i = 0; i < GLNN__LIST_PURPOSES; ++i)
        lists->latest[i] = lists->latest[i] == list ? NULL : lists->latest[i];
    glnn__list_destroy(list);
}

/* Destroys lists that are not current, or all of them. */
static void tidy(glnn__lists *lists, bool all)
{
    int kept = 0;
    for (int i = 0; i < lists->count; ++i)
        if (all || !glnn__list_is_current(lists->all[i].list))
            destroy(lists, lists->all[i].list);
        else
            lists->all[kept++] = lists->all[i];
    lists->count = kept;
}

static glnn_status make_room(glnn__lists *lists)
{
    tidy(lists, lists->count == MOST_LISTS);
    if (lists->count < lists->room)
        return GLNN_OK;
    const int room = 2 * lists->room + 8;
    listed *all = realloc(lists->all, (size_t)room * sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d lists of passes", room);
    lists->all = all;
    lists->room = room;
    return GLNN_OK;
}

glnn_status glnn__lists_run(glnn__lists *lists, glnn_context *ctx, int purpose,
                            const glnn__list_key *key, unsigned *flags, glnn__describe_fn *describe,
                            void *self, const void *what)
{
    if (ctx->list) /* they are a part of a longer list */
        return describe(self, what);
    listed *found = find(lists, key, *flags);
    if (!found) {
        listed added = {.key = *key, .before = *flags};
        GLNN__TRY(make_room(lists));
        GLNN__TRY(glnn__list_record(ctx, describe, self, what, &added.list));
        added.after = *flags;
        found = &lists->all[lists->count++];
        *found = added;
    }
    lists->latest[purpose] = found->list;
    GLNN__TRY(glnn__list_replay(found->list));
    *flags = found->after;
    return GLNN_OK;
}

void glnn__lists_destroy(glnn__lists *lists)
{
    tidy(lists, true);
    free(lists->all);
    *lists = (glnn__lists){0};
}
