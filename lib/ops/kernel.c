#include "ops/kernel.h"

#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/string.h"
#include "ops/check.h"
#include "pass/program.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(GLNN_KERNEL_OPERANDS == GLNN__MAX_OPERANDS, "");
_Static_assert(GLNN_KERNEL_UNIFORMS <= GLNN__MAX_UNIFORMS, "");
_Static_assert(GLNN_KERNEL_OPTIONS <= GLNN__MAX_CONSTANTS, "");

#define MOST_NAME  63
#define MOST_LINES 9999

/* ---- Descriptions */

/* The name stands for a file in the text of a shader, and must not be that of one. */
static glnn_status check_name(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > MOST_NAME)
        return glnn__fail(GLNN_E_ARG, "the name has %zu characters; it may have 1 to %d", length,
                          MOST_NAME);
    for (const char *c = name; *c; ++c)
        if (*c == '/' || (unsigned char)*c < ' ' || *c == 0x7f)
            return glnn__fail(GLNN_E_ARG,
                              "character %d of the name is a '/' or a control character",
                              (int)(c - name) + 1);
    return GLNN_OK;
}

static bool is_part_of_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !is_part_of_word(at[-1])) && !is_part_of_word(at[length]))
            return true;
    return false;
}

/* ---- The text of a kernel */

/* Where a text is read. */
typedef struct reader {
    const char *at;
    int line, depth; /* depth: parentheses and braces that are open */
    bool begins_line;
    int open_comment; /* the line of a comment that does not end; 0: all end */
} reader;

static const char *const refused_directives[] = {"version", "line", "extension", NULL};

/* Words of declarations that the library makes by itself, or that one stage does not have. */
static const struct {
    const char *word, *reason;
    bool is_for_parameters;
} refused_words[] = {
    {"main", "the library has the function main", false},
    {"uniform", "the description declares the uniforms", false},
    {"layout", "the library places all inputs and outputs", false},
    {"buffer", "a kernel reads its operands alone", false},
    {"shared", "a kernel computes one element at a time", false},
    {"discard", "a kernel computes every element", false},
    {"in", "a kernel reads its operands alone", true},
    {"out", "a kernel returns its element", true},
};

static const char *end_of_word(const char *text)
{
    while (is_part_of_word(*text))
        ++text;
    return text;
}

static bool is_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !is_part_of_word(text[length]);
}

/* Leaves out a comment, if one begins here. */
static bool skip_comment(reader *r)
{
    if (r->at[0] != '/' || (r->at[1] != '/' && r->at[1] != '*'))
        return false;
    const char *end = r->at[1] == '/' ? strchr(r->at, '\n') : strstr(r->at + 2, "*/");
    if (!end && r->at[1] == '*')
        r->open_comment = r->line;
    if (!end)
        end = r->at + strlen(r->at);
    else if (*end == '*')
        end += 2;
    for (; r->at < end; ++r->at)
        r->line += *r->at == '\n';
    return true;
}

/* Checks a directive of the preprocessor, and leaves out its line and those that continue it. */
static glnn_status read_directive(const char *name, reader *r)
{
    const char *word = r->at + 1 + strspn(r->at + 1, " \t");
    for (int i = 0; refused_directives[i]; ++i)
        if (is_word(word, refused_directives[i]))
            return glnn__fail(GLNN_E_ARG, "%s:%d: the source may not have #%s", name, r->line,
                              refused_directives[i]);
    while (*r->at && *r->at != '\n') {
        if (skip_comment(r))
            continue;
        const bool continues = r->at[0] == '\\' && r->at[1] == '\n';
        r->line += continues;
        r->at += 1 + continues;
    }
    return GLNN_OK;
}

static glnn_status read_word(const char *name, reader *r)
{
    for (size_t i = 0; i < sizeof refused_words / sizeof *refused_words; ++i)
        if (is_word(r->at, refused_words[i].word) &&
            (r->depth == 0 || !refused_words[i].is_for_parameters))
            return glnn__fail(GLNN_E_ARG, "%s:%d: the source may not have '%s', because %s", name,
                              r->line, refused_words[i].word, refused_words[i].reason);
    r->at = end_of_word(r->at);
    return GLNN_OK;
}

static void read_sign(reader *r)
{
    r->depth += *r->at == '(' || *r->at == '{';
    r->depth -= *r->at == ')' || *r->at == '}';
    r->line += *r->at == '\n';
    ++r->at;
}

static glnn_status check_text(const char *name, const char *source)
{
    reader r = {.at = source, .line = 1, .begins_line = true};
    while (*r.at && r.line <= MOST_LINES) {
        const char c = *r.at;
        if (skip_comment(&r))
            continue;
        if (c == '#' && r.begins_line)
            GLNN__TRY(read_directive(name, &r));
        else if (is_part_of_word(c))
            GLNN__TRY(read_word(name, &r));
        else
            read_sign(&r);
        r.begins_line = c == '\n' || (r.begins_line && (c == ' ' || c == '\t'));
    }
    if (r.line > MOST_LINES)
        return glnn__fail(GLNN_E_ARG, "%s: the source has more than %d lines", name, MOST_LINES);
    return r.open_comment ? glnn__fail(GLNN_E_ARG, "%s:%d: a comment begins here and does not end",
                                       name, r.open_comment)
                          : GLNN_OK;
}

static glnn_status check_source(const char *name, const char *source)
{
    if (!source)
        return glnn__fail(GLNN_E_ARG, "%s: `source` is null", name);
    if (!has_word(source, "element"))
        return glnn__fail(
            GLNN_E_ARG, "%s: the source has no function float element(int row, int column)", name);
    return check_text(name, source);
}

/* The description in the form of the library's own kernels. */
static glnn__kernel kernel_of(const glnn_kernel_desc *desc)
{
    glnn__kernel kernel = {.name = desc->name ? desc->name : "kernel", .text = desc->source};
    memcpy(kernel.operands, desc->operands, sizeof desc->operands);
    memcpy(kernel.uniforms, desc->uniforms, sizeof desc->uniforms);
    memcpy(kernel.constants, desc->options, sizeof desc->options);
    kernel.unviewed = glnn__kernel_operands(&kernel);
    return kernel;
}

static glnn_status check_desc(const glnn_kernel_desc *desc)
{
    const glnn__kernel kernel = kernel_of(desc);
    GLNN__TRY(GLNN__RESERVED_CHECK(glnn_kernel_desc, desc));
    GLNN__TRY(check_name(kernel.name));
    GLNN__TRY(check_source(kernel.name, kernel.text));
    return glnn__kernel_check(&kernel);
}

/* ---- Creation and destruction */

/* Copies the strings of a list. Returns how many could not be copied and are NULL now. */
static int copy_strings(const char **list, int count)
{
    int lost = 0;
    for (int i = 0; i < count; ++i) {
        const char *copy = list[i] ? glnn__string_copy(list[i]) : NULL;
        lost += list[i] && !copy;
        list[i] = copy;
    }
    return lost;
}

static bool copy_all(glnn__kernel *kernel)
{
    const int lost = copy_strings(&kernel->name, 1) + copy_strings(&kernel->text, 1) +
                     copy_strings(kernel->operands, GLNN__MAX_OPERANDS) +
                     copy_strings(kernel->uniforms, GLNN__MAX_UNIFORMS) +
                     copy_strings(kernel->constants, GLNN__MAX_CONSTANTS);
    return lost == 0;
}

static void free_strings(const char **list, int count)
{
    for (int i = 0; i < count; ++i)
        free((char *)list[i]);
}

static void free_kernel(glnn_kernel *kernel)
{
    free_strings(&kernel->kernel.name, 1);
    free_strings(&kernel->kernel.text, 1);
    free_strings(kernel->kernel.operands, GLNN__MAX_OPERANDS);
    free_strings(kernel->kernel.uniforms, GLNN__MAX_UNIFORMS);
    free_strings(kernel->kernel.constants, GLNN__MAX_CONSTANTS);
    free(kernel);
}

static void report(void *self)
{
    const glnn_kernel *kernel = self;
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: a kernel still exists: %s",
              kernel->kernel.name);
}

glnn_status glnn_kernel_create(glnn_context *ctx, const glnn_kernel_desc *desc, glnn_kernel **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(glnn__fail_in(__func__, check_desc(desc)));
    glnn_kernel *kernel = malloc(sizeof *kernel);
    if (!kernel)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a kernel", __func__);
    *kernel = (glnn_kernel){.kernel = kernel_of(desc), .ctx = ctx, .owners = 1};
    if (!copy_all(&kernel->kernel)) {
        free_kernel(kernel);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the text of a kernel", __func__);
    }
    glnn__object_add(ctx, &kernel->object, report, kernel);
    *out = kernel;
    return GLNN_OK;
}

void glnn__kernel_release(glnn_kernel *kernel)
{
    if (--kernel->owners > 0)
        return;
    if (!kernel->ctx->is_destroyed)
        glnn__programs_forget(kernel->ctx, &kernel->kernel);
    free_kernel(kernel);
}

void glnn_kernel_destroy(glnn_kernel *kernel)
{
    if (!kernel)
        return;
    glnn__dependent_remove(&kernel->object);
    kernel->is_gone = true;
    glnn__kernel_release(kernel);
}

/* ---- Runs */

static bool is_whole_matrix(const glnn_rect *rect)
{
    return rect->row == 0 && rect->column == 0 && rect->rows == 0 && rect->columns == 0;
}

static glnn_status set_operand(const glnn_kernel *kernel, const glnn_kernel_operand *from, int i,
                               glnn__pass *pass)
{
    static const char what[] = "glnn_kernel_run";
    const char *name = kernel->kernel.operands[i];
    glnn_rect rect;
    if (!from->matrix)
        return GLNN_OK;
    if (!name)
        return glnn__fail(GLNN_E_ARG, "%s: %s has no operand %d, but the run gives it a matrix",
                          what, kernel->kernel.name, i);
    GLNN__TRY(glnn__check_operand(kernel->ctx, what, name, from->matrix));
    GLNN__TRY(glnn__matrix_rect(what, from->matrix,
                                is_whole_matrix(&from->rect) ? NULL : &from->rect, &rect));
    pass->operands[i].matrix = from->matrix;
    pass->operands[i].view = glnn__view_rectangle(&rect, from->transpose);
    return GLNN_OK;
}

static glnn_status set_uniform(const glnn_kernel *kernel, double value, int i, glnn__pass *pass)
{
    const char *declared = kernel->kernel.uniforms[i], *name = kernel->kernel.name;
    if (!declared && value == 0)
        return GLNN_OK;
    if (!declared)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_kernel_run: %s has no uniform %d, but the run sets it to %g", name,
                          i, value);
    if (declared[0] == 'f') {
        pass->uniforms[i].f = (float)value;
        return GLNN_OK;
    }
    if (!(value >= INT_MIN && value <= INT_MAX) || value != floor(value))
        return glnn__fail(GLNN_E_ARG,
                          "glnn_kernel_run: %s of %s is %.9g; an int must be a whole number of 32 "
                          "bits",
                          declared + strlen("int "), name, value);
    pass->uniforms[i].i = (int)value;
    return GLNN_OK;
}

static glnn_status check_option(const glnn_kernel *kernel, int value, int i)
{
    if (kernel->kernel.constants[i] || value == 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "glnn_kernel_run: %s has no option %d, but the run sets it to %d",
                      kernel->kernel.name, i, value);
}

static glnn_status set_beta(const glnn_kernel *kernel, float beta, glnn__pass *pass)
{
    if (!isfinite(beta))
        return glnn__fail(GLNN_E_ARG, "glnn_kernel_run: beta is %g; it must be finite",
                          (double)beta);
    pass->blend = beta != 0;
    pass->blend_factor.f = beta;
    for (int i = 0; i < GLNN__MAX_OPERANDS && pass->blend; ++i)
        if (pass->operands[i].matrix == pass->output)
            return glnn__fail(GLNN_E_ARG,
                              "glnn_kernel_run: `out` (%s) is also operand %s; with a beta other "
                              "than 0 it must not be",
                              pass->output->name, kernel->kernel.operands[i]);
    return GLNN_OK;
}

static glnn_status set_pass(const glnn_kernel *kernel, const glnn_kernel_run_desc *desc,
                            glnn__pass *pass)
{
    for (int i = 0; i < GLNN_KERNEL_OPERANDS; ++i)
        GLNN__TRY(set_operand(kernel, &desc->operands[i], i, pass));
    for (int i = 0; i < GLNN_KERNEL_UNIFORMS; ++i)
        GLNN__TRY(set_uniform(kernel, desc->uniforms[i], i, pass));
    for (int i = 0; i < GLNN_KERNEL_OPTIONS; ++i)
        GLNN__TRY(check_option(kernel, desc->options[i], i));
    return set_beta(kernel, desc->beta, pass);
}

glnn_status glnn_kernel_run(glnn_kernel *kernel, const glnn_kernel_run_desc *desc, glnn_matrix *out)
{
    static const glnn_kernel_run_desc plain;
    GLNN__HELD(kernel);
    desc = desc ? desc : &plain;
    int constants[GLNN__MAX_CONSTANTS] = {0};
    memcpy(constants, desc->options, sizeof desc->options);
    glnn__pass pass = {.kernel = &kernel->kernel, .output = out, .constants = constants};
    GLNN__TRY(glnn__fail_in(__func__, GLNN__RESERVED_CHECK(glnn_kernel_run_desc, desc)));
    GLNN__TRY(glnn__check_output(kernel->ctx, __func__, "out", out));
    GLNN__TRY(set_pass(kernel, desc, &pass));
    return glnn__pass_run(kernel->ctx, &pass);
}
