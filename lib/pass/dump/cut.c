#include "pass/dump/cut.h"

#include "pass/dump/conditions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Identifiers that an item may define. */
enum { MOST_NAMES = 4 };

typedef struct word {
    const char *begin;
    size_t length;
} word;

/* A function, a declaration or a directive, with the remarks above it. */
typedef struct item {
    const char *remarks, *begin, *end;
    word names[MOST_NAMES];
    int name_count;   /* 0: the item always stays */
    int part;         /* of the text's files, from 1; 0: before the first */
    const char *head; /* where the part begins; NULL: part 0              */
    bool is_used, is_followed;
} item;

typedef struct items {
    item *list;
    size_t count;
} items;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool word_is(word a, const char *text)
{
    return a.length == strlen(text) && memcmp(a.begin, text, a.length) == 0;
}

static bool words_equal(word a, word b)
{
    return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0;
}

/* The start of the next line. */
static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* The start of the line after a directive, which goes on after a backslash at the end of a line. */
static const char *after_directive(const char *at)
{
    const char *end;
    do {
        end = at + strcspn(at, "\n");
        at = next_line(at);
    } while (*at && end[-1] == '\\');
    return at;
}

/* The next character of code from `at` on, after remarks and blanks. */
static const char *skip_remarks(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\n");
        if (strncmp(at, "//", 2) != 0)
            return at;
        at = next_line(at);
    }
}

/* The next identifier before `end`; length 0: there is none. Sets *at behind it. */
static word next_word(const char **at, const char *end)
{
    const char *c = *at;
    while (c < end && !(isalpha((unsigned char)*c) || *c == '_')) {
        if (strncmp(c, "//", 2) == 0)
            c = next_line(c);
        else if (isdigit((unsigned char)*c)) /* not the u of 1u */
            while (is_word(*c))
                ++c;
        else
            ++c;
    }
    word found = {c, 0};
    while (c + found.length < end && is_word(c[found.length]))
        ++found.length;
    *at = c + found.length;
    return found;
}

/* ---- Items */

static const char *after_bracket(const char *at)
{
    int depth = 0;
    do {
        depth += *at == '(';
        depth -= *at == ')';
        ++at;
    } while (*at && depth > 0);
    return at;
}

/* The declaration after layout(...). */
static const char *skip_layout(const char *at)
{
    if (strncmp(at, "layout", 6) == 0 && !is_word(at[6]))
        return skip_remarks(after_bracket(skip_remarks(at + 6)));
    return at;
}

static bool is_function(const char *at)
{
    at = skip_layout(at);
    while (*at && !strchr("(={;[", *at))
        ++at;
    return *at == '(';
}

/* The end of the code that begins here: a semicolon, or the last brace of a function. */
static const char *end_of_code(const char *at)
{
    const bool ends_with_brace = is_function(at);
    int depth = 0;
    for (; *at; ++at) {
        if (strncmp(at, "//", 2) == 0)
            at = next_line(at) - 1;
        depth += *at == '(' || *at == '{' || *at == '[';
        depth -= *at == ')' || *at == '}' || *at == ']';
        if (depth == 0 && (*at == ';' || (*at == '}' && ends_with_brace)))
            return at + 1;
    }
    return at;
}

static void add_name(item *to, word name)
{
    if (name.length > 0 && to->name_count < MOST_NAMES)
        to->names[to->name_count] = name;
    if (name.length > 0)
        to->name_count++;
}

/* A declaration names what is before each "=", "[", "," or ";" outside of brackets and values. */
static void find_declared(item *of, const char *at)
{
    word last = {at, 0};
    bool is_value = false;
    int words = 0;
    while (at < of->end) {
        if (isalpha((unsigned char)*at) || *at == '_') {
            const word found = next_word(&at, of->end);
            last = is_value ? last : found;
            words++;
            continue;
        }
        if (strchr("=[,;", *at) && !is_value)
            add_name(of, last);
        if (strchr("=[,;", *at))
            last.length = 0;
        is_value = *at == '=' || (is_value && *at != ',');
        at = strchr("[({", *at) && *at == '(' ? after_bracket(at) : at + 1;
    }
    if (words < 2) /* such as "in;" */
        of->name_count = 0;
}

static void find_names(item *of)
{
    const char *at = of->begin;
    if (*at == '#') {
        const word directive = next_word(&at, of->end);
        if (word_is(directive, "define"))
            add_name(of, next_word(&at, of->end));
    } else if (strncmp(at, "struct", 6) == 0 && !is_word(at[6])) {
        at += 6;
        add_name(of, next_word(&at, of->end));
    } else if (is_function(at)) {
        word name = {at, 0};
        at = skip_layout(at);
        for (const char *bracket = at + strcspn(at, "("); at < bracket;) {
            const word found = next_word(&at, bracket);
            name = found.length > 0 ? found : name;
        }
        if (!word_is(name, "main"))
            add_name(of, name);
    } else {
        find_declared(of, skip_layout(at));
    }
    if (of->name_count > MOST_NAMES)
        of->name_count = 0;
}

/* The number of a part that a #line directive begins; 0: it is another line. */
static int part_of(const char *at)
{
    int line;
    return sscanf(at, "#line %d", &line) == 1 ? glnn__text_part_of(line) : 0;
}

static item *add_item(items *to)
{
    item *grown = realloc(to->list, (to->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    to->list = grown;
    memset(&grown[to->count], 0, sizeof *grown);
    return &grown[to->count++];
}

static bool find_items(const char *text, items *out)
{
    const char *remarks = text, *head = NULL;
    int part = 0;
    for (;;) {
        const char *begin = skip_remarks(remarks);
        if (!*begin)
            return true;
        const int named = *begin == '#' ? part_of(begin) : 0;
        if (named > 0) {
            part = named;
            remarks = head = next_line(begin);
            continue;
        }
        item *added = add_item(out);
        if (!added)
            return false;
        added->remarks = remarks;
        added->begin = begin;
        added->end = *begin == '#' ? after_directive(begin) : next_line(end_of_code(begin));
        added->part = part;
        added->head = head;
        find_names(added);
        remarks = added->end;
    }
}

/* ---- Uses */

static bool defines(const item *of, word name)
{
    for (int i = 0; i < of->name_count; ++i)
        if (words_equal(of->names[i], name))
            return true;
    return false;
}

static void follow(const items *all, const item *of)
{
    const char *at = of->begin;
    for (word used; (used = next_word(&at, of->end)).length > 0;)
        for (size_t i = 0; i < all->count; ++i)
            if (!all->list[i].is_used && defines(&all->list[i], used))
                all->list[i].is_used = true;
}

static void find_used(items *of)
{
    bool finds_more = true;
    for (size_t i = 0; i < of->count; ++i)
        of->list[i].is_used = of->list[i].name_count == 0;
    while (finds_more) {
        finds_more = false;
        for (size_t i = 0; i < of->count; ++i) {
            item *next = &of->list[i];
            if (!next->is_used || next->is_followed)
                continue;
            next->is_followed = finds_more = true;
            follow(of, next);
        }
    }
}

/* ---- Writing */

/* The remarks right above an item, without an empty line between them. */
static const char *own_remarks(const item *of)
{
    const char *own = of->remarks;
    for (const char *line = of->remarks; line < of->begin; line = next_line(line))
        if (line[strspn(line, " \t")] == '\n' || strncmp(line, "//!", 3) == 0)
            own = next_line(line);
    return own;
}

/* The name of an item's file, and the remarks at the top of a kernel's file. */
static void write_heading(const glnn__text *text, const item *first, FILE *to)
{
    const char *name = text->parts[first->part - 1], *line = first->head;
    fprintf(to, "\n// ---- %s\n", name);
    while (strncmp(line, "//!", 3) == 0)
        line = next_line(line);
    if (strncmp(name, "kernels/", 8) != 0 || line == own_remarks(first) ||
        strncmp(line, "//", 2) != 0)
        return;
    fputc('\n', to);
    for (; strncmp(line, "//", 2) == 0; line = next_line(line))
        fprintf(to, "%.*s", (int)(next_line(line) - line), line);
}

static void write_item(const item *of, const item *former, FILE *to)
{
    const bool is_directive = *of->begin == '#';
    const char *own = own_remarks(of);
    const bool is_alone = !former || former->part != of->part || *former->begin != '#' ||
                          !is_directive || own != of->begin;
    if (is_alone && former)
        fputc('\n', to);
    fprintf(to, "%.*s", (int)(of->end - own), own);
}

static void write_used(const glnn__text *text, const items *of, FILE *to)
{
    const item *former = NULL;
    for (size_t i = 0; i < of->count; ++i) {
        const item *next = &of->list[i];
        if (!next->is_used)
            continue;
        if (next->part > 0 && (!former || former->part != next->part))
            write_heading(text, next, to);
        write_item(next, former, to);
        former = next;
    }
}

bool glnn__text_cut(const glnn__text *text, FILE *to)
{
    char *resolved = NULL;
    size_t size;
    items all = {0};
    FILE *stream = strstr(text->text, "/*") ? NULL : open_memstream(&resolved, &size);
    if (!stream)
        return false;
    bool is_known = glnn__conditions_resolve(text->text, stream);
    is_known = fclose(stream) == 0 && is_known && find_items(resolved, &all);
    if (is_known) {
        find_used(&all);
        write_used(text, &all, to);
    }
    free(all.list);
    free(resolved);
    return is_known;
}
