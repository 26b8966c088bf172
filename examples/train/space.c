#include "space.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"
#include "common/random.h"
#include "common/suggestion.h"

static bool is_whole(const space_axis *of)
{
    return of->row->kind != OPTION_NUMBER;
}

/* A comma before a digit or NAME=WEIGHT belongs to a value. */
static bool ends_option(const char *comma)
{
    const char *next = comma + 1;
    return !isdigit((unsigned char)*next) && next[strcspn(next, "=,; \t\n")] != '=';
}

/* Ends the text of an option, and returns where the next one begins; NULL: it was the last. */
static char *cut_option(char *text)
{
    for (char *c = text; *c; ++c)
        if (*c == ';' || (*c == ',' && ends_option(c))) {
            *c = '\0';
            return c + 1;
        }
    return NULL;
}

static bool find_row(const option_table *table, bool (*can_search)(int row), const char *name,
                     space_axis *out)
{
    char meant[SUGGESTION_TEXT];
    const char *bare = name + strspn(name, "-");
    out->number = options_find(table, bare);
    suggest_option(table, bare, meant);
    if (out->number < 0)
        return refuse("--search: unknown option '%s'%s", name, meant);
    out->row = &table->rows[out->number];
    return can_search(out->number) ||
           refuse(
               "--search: --%s cannot be searched, because it is not an option of the learner or "
               "its training",
               bare);
}

/* Takes the bounds out of "0.01..0.3". `dots` are the two dots. */
static bool read_range(const char *word, const char *dots, const char *way, space_axis *out)
{
    const char *name = out->row->name;
    char low[SPACE_VALUE];
    if (out->row->kind != OPTION_INTEGER && out->row->kind != OPTION_NUMBER &&
        out->row->kind != OPTION_LIST)
        return refuse("--search: %s %s: a range needs numbers; give the values that --%s may have",
                      name, word, name);
    if (dots == word || dots[2] == '\0' || (size_t)(dots - word) >= sizeof low)
        return refuse("--search: %s %s: a range has two numbers, as in 1..10", name, word);
    snprintf(low, sizeof low, "%.*s", (int)(dots - word), word);
    if (!options_check_value(out->row, low) || !options_check_value(out->row, dots + 2))
        return refuse("--search: %s", failure());
    out->low = strtod(low, NULL);
    out->high = strtod(dots + 2, NULL);
    out->is_log = way && strcmp(way, "log") == 0;
    if (way && !out->is_log && strcmp(way, "linear") != 0)
        return refuse(
            "--search: %s %s %s: after a range, log or linear can follow; commas separate "
            "options",
            name, word, way);
    if (!(out->low < out->high))
        return refuse("--search: %s %s: the second number has to be above the first", name, word);
    return !out->is_log || out->low > 0 ||
           refuse("--search: %s %s log: the range has to begin above 0", name, word);
}

static bool check_word(const space_axis *of, const char *word)
{
    if (strlen(word) >= SPACE_VALUE)
        return refuse("--search: %s %s: a value has at most %d characters", of->row->name, word,
                      SPACE_VALUE - 1);
    if (of->row->kind == OPTION_FLAG)
        return strcmp(word, "on") == 0 || strcmp(word, "off") == 0 ||
               refuse("--search: %s %s: the values of this option are on and off", of->row->name,
                      word);
    if (strstr(word, "..") != NULL)
        return refuse("--search: %s %s: an option has one range or a list of values, not both",
                      of->row->name, word);
    return options_check_value(of->row, word) || refuse("--search: %s", failure());
}

static bool read_axis(const option_table *table, bool (*can_search)(int row), char *text,
                      space_axis *out)
{
    char *rest, *name = strtok_r(text, " \t\n", &rest);
    if (name == NULL)
        return refuse("--search: an option is missing; give a list such as 'rate 0.01..0.3 log, "
                      "hidden 64 128'");
    if (!find_row(table, can_search, name, out))
        return false;
    char *word = strtok_r(NULL, " \t\n", &rest);
    const char *dots = word ? strstr(word, "..") : NULL;
    if (dots) {
        const char *way = strtok_r(NULL, " \t\n", &rest);
        const char *more = way ? strtok_r(NULL, " \t\n", &rest) : NULL;
        return more == NULL ? read_range(word, dots, way, out)
                            : refuse("--search: %s: '%s' comes after a range; commas separate "
                                     "options",
                                     out->row->name, more);
    }
    for (; word; word = strtok_r(NULL, " \t\n", &rest)) {
        if (out->count == SPACE_WORDS)
            return refuse("--search: %s: at most %d values are possible; give a range", name,
                          SPACE_WORDS);
        if (!check_word(out, word))
            return false;
        out->words[out->count++] = word;
    }
    return out->count > 0 ||
           refuse("--search: %s: values are missing, such as '%s 1..10' or '%s 1 2 5'", name, name,
                  name);
}

bool space_parse(const option_table *table, bool (*can_search)(int row), const char *text,
                 space *out)
{
    *out = (space){.text = strdup(text)};
    bool done = out->text != NULL || refuse("no memory for the options of --search");
    for (char *next = out->text; done && next;) {
        char *option = next;
        next = cut_option(option);
        if (out->count == SPACE_AXES)
            done = refuse("--search: at most %d options can be searched", SPACE_AXES);
        done = done && read_axis(table, can_search, option, &out->axes[out->count]);
        for (int i = 0; done && i < out->count; ++i)
            if (out->axes[i].number == out->axes[out->count].number)
                done = refuse("--search: %s is there twice", out->axes[i].row->name);
        ++out->count;
    }
    if (!done)
        space_free(out);
    return done;
}

double space_size(const space *of)
{
    double size = 1.0;
    for (int i = 0; i < of->count; ++i) {
        const space_axis *axis = &of->axes[i];
        size *= axis->count > 0  ? (double)axis->count
                : is_whole(axis) ? axis->high - axis->low + 1.0
                                 : INFINITY;
    }
    return size;
}

/* Rounding must not leave the range. */
static double draw_number(const space_axis *of, uint64_t *state, char *out)
{
    const double share = (double)random_fraction(state), high = of->high + (is_whole(of) ? 1 : 0);
    double value =
        of->is_log ? of->low * pow(high / of->low, share) : of->low + share * (high - of->low);
    if (is_whole(of))
        value = floor(value);
    snprintf(out, SPACE_VALUE, is_whole(of) ? "%.0f" : "%.4g", value);
    return strtod(out, NULL);
}

static void draw_value(const space_axis *of, uint64_t *state, char *out)
{
    if (of->count > 0) {
        snprintf(out, SPACE_VALUE, "%s", of->words[random_below(state, of->count)]);
        return;
    }
    const double value = draw_number(of, state, out);
    if (value < of->low || value > of->high)
        snprintf(out, SPACE_VALUE, "%.9g", value < of->low ? of->low : of->high);
}

void space_draw(const space *of, uint64_t *state, space_point *out)
{
    for (int i = 0; i < of->count; ++i)
        draw_value(&of->axes[i], state, out->values[i]);
}

bool space_is_same(const space *of, const space_point *a, const space_point *b)
{
    for (int i = 0; i < of->count; ++i)
        if (strcmp(a->values[i], b->values[i]) != 0)
            return false;
    return true;
}

void space_free(space *of)
{
    free(of->text);
    *of = (space){0};
}
