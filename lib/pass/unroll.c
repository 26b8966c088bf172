#include "pass/unroll.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* `MOST_TEXT`: bytes. Loops in loops multiply, so a short shader could become one of any length. */
enum { MOST_TURNS = 8, MOST_TEXT = 1 << 22 };

/* ---- Reading a shader that has no comments */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *after_space(const char *at)
{
    return at + strspn(at, " \n");
}

/* The text after the word, if it begins with it; otherwise NULL. */
static const char *after_word(const char *at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_word(at[length]) ? at + length : NULL;
}

/* After the bracket that belongs to the one at the start. NULL: there is none. */
static const char *after_bracket(const char *at, char open, char close)
{
    int depth = 0;
    for (; *at; ++at) {
        depth += (*at == open) - (*at == close);
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* NULL: a statement begins with a directive or has one outside of braces. */
static const char *after_statement(const char *at)
{
    at = after_space(at);
    if (*at == '{')
        return after_bracket(at, '{', '}');
    const bool is_if = after_word(at, "if");
    if (is_if || after_word(at, "for") || after_word(at, "while")) {
        const char *end = after_bracket(at + strcspn(at, "("), '(', ')');
        end = end ? after_statement(end) : NULL;
        const char *other = is_if && end ? after_word(after_space(end), "else") : NULL;
        return other ? after_statement(other) : end;
    }
    at += strcspn(at, ";#{}");
    return *at == ';' ? at + 1 : NULL;
}

static bool has_word(const char *from, const char *end, const char *word)
{
    for (const char *at = from; (at = strstr(at, word)) && at < end; ++at)
        if (!is_word(at[-1]) && after_word(at, word))
            return true;
    return false;
}

/* Whether an operator changes the variable before it. */
static bool is_assignment(const char *at)
{
    if (*at == '=')
        return at[1] != '=';
    if (strncmp(at, "++", 2) == 0 || strncmp(at, "--", 2) == 0)
        return true;
    if (strncmp(at, "<<=", 3) == 0 || strncmp(at, ">>=", 3) == 0)
        return true;
    return *at && strchr("+-*/%&|^", *at) && at[1] == '=';
}

/* ---- Loops */

typedef struct loop {
    const char *name, *body, *end;
    int name_length, turns;
} loop;

/* The number for which a name stands; 0: it stands for none, or for one of several. */
static int defined_number(const char *shader, const char *name, size_t length)
{
    static const char define[] = "#define ";
    int number = 0;
    for (const char *at = shader; (at = strstr(at, define));) {
        at += sizeof define - 1;
        if (strncmp(at, name, length) != 0 || is_word(at[length]))
            continue;
        char *end;
        const long value = strtol(at + length, &end, 10);
        end += strspn(end, " ");
        if (number || end == at + length || *end != '\n' || value < 1 || value > MOST_TURNS)
            return 0;
        number = (int)value;
    }
    return number;
}

/* The text after NAME, if it is there; otherwise NULL. */
static const char *after_name(const char *at, const loop *l)
{
    return at && strncmp(at, l->name, (size_t)l->name_length) == 0 && !is_word(at[l->name_length])
               ? at + l->name_length
               : NULL;
}

/* Whether the body gives another value to what has the loop's name. */
static bool changes_name(const loop *l)
{
    for (const char *at = l->body; at < l->end; ++at) {
        const char *end = is_word(at[-1]) ? NULL : after_name(at, l);
        if (end && (is_assignment(after_space(end)) || strncmp(at - 2, "++", 2) == 0 ||
                    strncmp(at - 2, "--", 2) == 0))
            return true;
    }
    return false;
}

static const char *after_text(const char *at, const char *text)
{
    const size_t length = strlen(text);
    return at && strncmp(at, text, length) == 0 ? at + length : NULL;
}

/* Reads a loop that begins here. False: none does that can be unrolled. */
static bool read_loop(const char *shader, const char *at, loop *l)
{
    *l = (loop){.name = after_text(at, "for (int ")};
    if (!l->name)
        return false;
    while (is_word(l->name[l->name_length]))
        ++l->name_length;
    const char *count =
        after_text(after_name(after_text(l->name + l->name_length, " = 0; "), l), " < ");
    if (!count)
        return false;
    const char *end = count;
    while (is_word(*end))
        ++end;
    const int number = atoi(count);
    l->turns = number ? number : defined_number(shader, count, (size_t)(end - count));
    l->body = after_text(after_name(after_text(end, "; ++"), l), ")");
    l->end = l->body ? after_statement(l->body) : NULL;
    return l->end && l->turns >= 1 && l->turns <= MOST_TURNS &&
           !has_word(l->body, l->end, "break") && !has_word(l->body, l->end, "continue") &&
           !changes_name(l);
}

/* ---- Writing */

typedef struct writer {
    const char *shader;
    glnn__growing_text *out;
    int line;
} writer;

static void put(writer *w, const char *from, const char *end)
{
    glnn__text_print(w->out, "%.*s", (int)(end - from), from);
    for (; from < end; ++from)
        w->line += *from == '\n';
}

/* A directive with its further lines. */
static const char *put_directive(writer *w, const char *at)
{
    const char *end = at;
    bool goes_on = true;
    while (goes_on && *end) {
        end += strcspn(end, "\n");
        goes_on = end[-1] == '\\';
        end += *end == '\n';
    }
    const char *number = after_text(at, "#line ");
    put(w, at, end);
    if (number)
        w->line = atoi(number);
    return end;
}

static void put_unrolled(writer *w, const char *from, const char *end);

static void put_loop(writer *w, const loop *l)
{
    const int line = w->line;
    glnn__text_print(w->out, "{");
    for (int turn = 0; turn < l->turns && !w->out->is_cut; ++turn) {
        if (turn > 0)
            glnn__text_print(w->out, "\n#line %d\n", line);
        w->line = line;
        glnn__text_print(w->out, "{ const int %.*s = %d;", l->name_length, l->name, turn);
        put_unrolled(w, l->body, l->end);
        glnn__text_print(w->out, "}");
        w->out->is_cut |= w->out->size > MOST_TEXT;
    }
    glnn__text_print(w->out, "}");
}

static void put_unrolled(writer *w, const char *from, const char *end)
{
    while (from < end) {
        loop l;
        const char *next = from + 1;
        if (*from == '#') {
            next = put_directive(w, from);
        } else if (!is_word(from[-1]) && read_loop(w->shader, from, &l)) {
            put_loop(w, &l);
            next = l.end;
        } else {
            while (next < end && *next != '#' && *next != 'f')
                ++next;
            put(w, from, next);
        }
        from = next;
    }
}

/* Each line keeps its number. */
static void put_without_comments(const char *shader, glnn__growing_text *out)
{
    while (*shader) {
        const bool is_block = after_text(shader, "/*"), is_line = after_text(shader, "//");
        const char *end = is_block ? strstr(shader + 2, "*/") : NULL;
        if (end)
            for (end += 2; shader < end; ++shader)
                glnn__text_print(out, "%s", *shader == '\n' ? "\n" : "");
        else if (is_line || is_block)
            shader += strcspn(shader, is_line ? "\n" : "");
        else {
            const size_t length = 1 + strcspn(shader + 1, "/");
            glnn__text_print(out, "%.*s", (int)length, shader);
            shader += length;
        }
    }
}

void glnn__unroll(const char *shader, glnn__growing_text *out)
{
    glnn__growing_text plain = {0};
    glnn__text_print(out, "%s", "");
    glnn__text_print(&plain, "\n");
    put_without_comments(shader, &plain);
    if (plain.is_cut)
        out->is_cut = true;
    else
        put_unrolled(&(writer){.shader = plain.text, .out = out, .line = 1}, plain.text + 1,
                     plain.text + plain.size);
    free(plain.text);
}
