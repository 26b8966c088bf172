#include "io/safetensors/json.h"

#include "base/status.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A piece of yajl's memory, which follows it. */
typedef union block {
    struct {
        union block *former, *next;
    } links;
    max_align_t alignment;
} block;

/* yajl does not check what its allocator returns. So this allocator never returns without memory:
 * it jumps out of yajl, and all blocks are freed at once. */
typedef struct memory {
    yajl_alloc_funcs functions;
    block *first;
    jmp_buf way_out;
} memory;

static void link_block(memory *of, block *b)
{
    b->links.former = NULL;
    b->links.next = of->first;
    if (of->first)
        of->first->links.former = b;
    of->first = b;
}

static void unlink_block(memory *of, block *b)
{
    if (b->links.former)
        b->links.former->links.next = b->links.next;
    else
        of->first = b->links.next;
    if (b->links.next)
        b->links.next->links.former = b->links.former;
}

static void *resize(void *context, void *bytes, size_t size)
{
    memory *of = context;
    block *old = bytes ? (block *)bytes - 1 : NULL;
    if (old)
        unlink_block(of, old);
    block *resized = size <= SIZE_MAX - sizeof *old ? realloc(old, sizeof *old + size) : NULL;
    if (!resized) {
        if (old)
            link_block(of, old);
        longjmp(of->way_out, 1);
    }
    link_block(of, resized);
    return resized + 1;
}

static void *take(void *context, size_t size)
{
    return resize(context, NULL, size);
}

static void release(void *context, void *bytes)
{
    if (!bytes)
        return;
    unlink_block(context, (block *)bytes - 1);
    free((block *)bytes - 1);
}

static void memory_start(memory *of)
{
    of->functions = (yajl_alloc_funcs){take, resize, release, of};
    of->first = NULL;
}

static void memory_end(memory *of)
{
    while (of->first)
        release(of, of->first + 1);
}

/* A text that yajl reads. It lies outside the functions that the jump leaves. */
typedef struct reading {
    memory memory;
    const char *path;
    const unsigned char *text;
    size_t size;
    const yajl_callbacks *callbacks;
    void *context;
} reading;

static glnn_status parse(reading *in)
{
    if (setjmp(in->memory.way_out))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to read the header", in->path);
    yajl_handle parser = yajl_alloc(in->callbacks, &in->memory.functions, in->context);
    /* The caller checks the UTF-8, since yajl accepts some texts that are none. */
    yajl_config(parser, yajl_dont_validate_strings, 1);
    yajl_status status = yajl_parse(parser, in->text, in->size);
    const size_t place = yajl_get_bytes_consumed(parser);
    if (status == yajl_status_ok)
        status = yajl_complete_parse(parser);
    if (status != yajl_status_error)
        return GLNN_OK;
    const char *error = (const char *)yajl_get_error(parser, 0, in->text, in->size);
    return glnn__fail(GLNN_E_FORMAT, "%s: the header is not JSON, at its byte %zu: %.*s", in->path,
                      place, (int)strcspn(error, "\n"), error);
}

glnn_status glnn__json_parse(const char *path, const char *text, size_t size,
                             const yajl_callbacks *callbacks, void *context)
{
    reading in = {.path = path,
                  .text = (const unsigned char *)text,
                  .size = size,
                  .callbacks = callbacks,
                  .context = context};
    memory_start(&in.memory);
    const glnn_status status = parse(&in);
    memory_end(&in.memory);
    return status;
}

/* A text that yajl writes, likewise. */
typedef struct writing {
    memory memory;
    void (*write)(yajl_gen to, const void *context);
    const void *context;
    char *text;
    size_t size;
} writing;

/* False without memory. */
static bool generate(writing *out)
{
    if (setjmp(out->memory.way_out))
        return false;
    const unsigned char *text;
    size_t size;
    yajl_gen generator = yajl_gen_alloc(&out->memory.functions);
    out->write(generator, out->context);
    yajl_gen_get_buf(generator, &text, &size);
    out->text = malloc(size + 1);
    if (!out->text)
        return false;
    memcpy(out->text, text, size);
    out->text[size] = 0;
    out->size = size;
    return true;
}

glnn_status glnn__json_write(const char *path, void (*write)(yajl_gen to, const void *context),
                             const void *context, char **text, size_t *size)
{
    writing out = {.write = write, .context = context};
    memory_start(&out.memory);
    const bool complete = generate(&out);
    memory_end(&out.memory);
    if (!complete)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to write the header", path);
    *text = out.text;
    *size = out.size;
    return GLNN_OK;
}
