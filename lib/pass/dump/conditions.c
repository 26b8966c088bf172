#include "pass/dump/conditions.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MACROS = 512, MOST_NESTED = 32 };

/* Part of the text. */
typedef struct span {
    const char *begin, *end;
} span;

typedef struct macro {
    span name, value;
    bool takes_arguments;
} macro;

typedef struct macros {
    macro list[MOST_MACROS];
    int count;
} macros;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A directive goes on after a backslash at the end of its line. */
static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && strchr(" \t\n\\", *at))
        ++at;
    return at;
}

static span take_word(const char *at, const char *end)
{
    span word = {at, at};
    while (word.end < end && is_word(*word.end))
        ++word.end;
    return word;
}

static bool spans_equal(span a, span b)
{
    return a.end - a.begin == b.end - b.begin &&
           memcmp(a.begin, b.begin, (size_t)(a.end - a.begin)) == 0;
}

static bool span_is(span a, const char *text)
{
    return spans_equal(a, (span){text, text + strlen(text)});
}

static const macro *find_macro(const macros *of, span name)
{
    for (int i = of->count; i-- > 0;)
        if (spans_equal(of->list[i].name, name))
            return &of->list[i];
    return NULL;
}

/* ---- Expressions */

typedef struct expression {
    const char *at, *end;
    const macros *macros;
    int depth; /* of brackets and of macros in macros */
    bool fails;
} expression;

static intmax_t find_value(expression *e, int least);

static intmax_t fail(expression *e)
{
    e->fails = true;
    e->at = e->end;
    return 0;
}

static bool accept(expression *e, const char *sign)
{
    const size_t length = strlen(sign);
    e->at = skip_blanks(e->at, e->end);
    if ((size_t)(e->end - e->at) < length || memcmp(e->at, sign, length) != 0)
        return false;
    e->at += length;
    return true;
}

static intmax_t find_bracket(expression *e)
{
    const intmax_t value = find_value(e, 1);
    return accept(e, ")") ? value : fail(e);
}

static intmax_t find_macro_value(expression *e, span name)
{
    const macro *found = find_macro(e->macros, name);
    if (!found)
        return 0;
    expression inner = {found->value.begin, found->value.end, e->macros, e->depth, false};
    const intmax_t value = found->takes_arguments ? fail(&inner) : find_value(&inner, 1);
    return inner.fails || skip_blanks(inner.at, inner.end) != inner.end ? fail(e) : value;
}

static intmax_t find_number(expression *e)
{
    char *end;
    const intmax_t value = strtoimax(e->at, &end, 0);
    e->at = end;
    return value;
}

static intmax_t find_word(expression *e)
{
    const span word = take_word(e->at, e->end);
    if (word.begin == word.end)
        return fail(e);
    e->at = word.end;
    return find_macro_value(e, word);
}

static intmax_t find_operand(expression *e)
{
    intmax_t value;
    if (++e->depth > MOST_NESTED)
        return fail(e);
    if (accept(e, "!"))
        value = !find_operand(e);
    else if (accept(e, "-"))
        value = -find_operand(e);
    else if (accept(e, "("))
        value = find_bracket(e);
    else
        value = e->at < e->end && isdigit((unsigned char)*e->at) ? find_number(e) : find_word(e);
    --e->depth;
    return value;
}

typedef enum operation {
    OR,
    AND,
    EQUAL,
    UNEQUAL,
    LESS_OR_EQUAL,
    GREATER_OR_EQUAL,
    LESS,
    GREATER,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    OPERATIONS
} operation;

/* A sign that another one begins with comes after it. */
static const struct {
    const char *sign;
    int strength;
} operators[OPERATIONS] = {
    [OR] = {"||", 1},       [AND] = {"&&", 2},           [EQUAL] = {"==", 3},
    [UNEQUAL] = {"!=", 3},  [LESS_OR_EQUAL] = {"<=", 4}, [GREATER_OR_EQUAL] = {">=", 4},
    [LESS] = {"<", 4},      [GREATER] = {">", 4},        [ADD] = {"+", 5},
    [SUBTRACT] = {"-", 5},  [MULTIPLY] = {"*", 6},       [DIVIDE] = {"/", 6},
    [REMAINDER] = {"%", 6},
};

/* Takes the operator that comes next; OPERATIONS if none is as strong. */
static operation take_operator(expression *e, int least)
{
    for (int i = 0; i < OPERATIONS; ++i) {
        if (!accept(e, operators[i].sign))
            continue;
        if (operators[i].strength >= least)
            return (operation)i;
        e->at -= strlen(operators[i].sign);
        break;
    }
    return OPERATIONS;
}

static intmax_t apply(expression *e, operation op, intmax_t a, intmax_t b)
{
    switch (op) {
    case OR:
        return a || b;
    case AND:
        return a && b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case LESS_OR_EQUAL:
        return a <= b;
    case GREATER_OR_EQUAL:
        return a >= b;
    case LESS:
        return a < b;
    case GREATER:
        return a > b;
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return b ? a / b : fail(e);
    case REMAINDER:
        return b ? a % b : fail(e);
    default:
        return fail(e);
    }
}

/* The value up to the first operator that is weaker than `least`. */
static intmax_t find_value(expression *e, int least)
{
    intmax_t value = find_operand(e);
    while (!e->fails) {
        const operation op = take_operator(e, least);
        if (op == OPERATIONS)
            break;
        value = apply(e, op, value, find_value(e, operators[op].strength + 1));
    }
    return value;
}

/* ---- Lines */

/* One #if that is open. */
typedef struct branch {
    bool is_outer; /* the lines around it are seen */
    bool is_taken; /* this branch or one before it */
    bool is_seen;  /* this branch                  */
} branch;

typedef struct resolver {
    macros macros;
    branch branches[MOST_NESTED + 1]; /* the first one is the whole text */
    int depth;
} resolver;

/* False if it is not known. */
static bool evaluate(const resolver *r, span condition, bool *holds)
{
    expression e = {condition.begin, condition.end, &r->macros, 0, false};
    *holds = find_value(&e, 1) != 0;
    return !e.fails && skip_blanks(e.at, e.end) == e.end;
}

static bool open_branch(resolver *r, span condition)
{
    const bool is_outer = r->branches[r->depth].is_seen;
    bool holds = false;
    if (r->depth == MOST_NESTED || (is_outer && !evaluate(r, condition, &holds)))
        return false;
    r->branches[++r->depth] = (branch){is_outer, holds, is_outer && holds};
    return true;
}

static bool change_branch(resolver *r, span condition, bool is_else)
{
    branch *b = &r->branches[r->depth];
    bool holds = is_else;
    if (r->depth == 0)
        return false;
    if (!is_else && b->is_outer && !b->is_taken && !evaluate(r, condition, &holds))
        return false;
    b->is_seen = b->is_outer && !b->is_taken && holds;
    b->is_taken = b->is_taken || b->is_seen;
    return true;
}

static bool define(resolver *r, span rest)
{
    const span name = take_word(rest.begin, rest.end);
    if (r->macros.count == MOST_MACROS)
        return false;
    r->macros.list[r->macros.count++] =
        (macro){name, {name.end, rest.end}, name.end < rest.end && *name.end == '('};
    return true;
}

/* Follows a directive, and says whether its line is written. */
static bool follow(resolver *r, span word, span rest, bool *is_written)
{
    *is_written = false;
    if (span_is(word, "if"))
        return open_branch(r, rest);
    if (span_is(word, "elif") || span_is(word, "else"))
        return change_branch(r, rest, span_is(word, "else"));
    if (span_is(word, "endif"))
        return --r->depth >= 0;
    *is_written = r->branches[r->depth].is_seen;
    if (span_is(word, "define"))
        return !*is_written || define(r, rest);
    /* Those that would change what macros are. */
    return !span_is(word, "ifdef") && !span_is(word, "ifndef") && !span_is(word, "undef");
}

/* The end of a line before its remark. */
static const char *end_of_code(const char *begin, const char *end)
{
    for (const char *c = begin; c + 1 < end; ++c)
        if (c[0] == '/' && c[1] == '/')
            return c;
    return end;
}

static bool resolve_line(resolver *r, span line, FILE *to)
{
    const char *first = skip_blanks(line.begin, line.end);
    bool is_written = r->branches[r->depth].is_seen;
    if (first < line.end && *first == '#') {
        const span word = take_word(skip_blanks(first + 1, line.end), line.end);
        const span rest = {skip_blanks(word.end, line.end), end_of_code(word.end, line.end)};
        if (!follow(r, word, rest, &is_written))
            return false;
    }
    if (is_written)
        fprintf(to, "%.*s\n", (int)(line.end - line.begin), line.begin);
    return true;
}

bool glnn__conditions_resolve(const char *text, FILE *to)
{
    resolver *r = calloc(1, sizeof *r);
    bool is_known = r != NULL;
    if (r)
        r->branches[0] = (branch){true, true, true};
    while (is_known && *text) {
        const char *end = text + strcspn(text, "\n");
        while (*end && end > text && end[-1] == '\\')
            end += 1 + strcspn(end + 1, "\n");
        is_known = resolve_line(r, (span){text, end}, to);
        text = end + (*end == '\n');
    }
    is_known = is_known && r->depth == 0;
    free(r);
    return is_known;
}
