#include "options.h"

#include <errno.h>
#include <float.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "suggestion.h"

enum { MOST_ROWS = 128, FIRST_VALUE = 256, HELP = 'h', TEXT_COLUMN = 22, TEXT_END = 96 };

/* "relu, tanh or sigmoid" */
static void list_names(const option_row *row, char *text, size_t size)
{
    const int last = (int)row->high;
    size_t used = 0;
    for (int value = (int)row->low; value <= last && used < size; ++value)
        used += (size_t)snprintf(text + used, size - used, "%s%s", row->name_of(value),
                                 value + 1 < last    ? ", "
                                 : value + 1 == last ? " or "
                                                     : "");
}

/* The field of the library that a row has; zeros if it has none. */
static glnn_field field_of(const option_row *row)
{
    glnn_field field = {.size = sizeof field};
    if (row->library_field)
        glnn_field_find(row->of, row->library_field, &field);
    return field;
}

static bool is_in_range(const glnn_field *field, double value)
{
    return value >= field->least && value <= field->most &&
           !(field->above && value == field->least) && !(field->below && value == field->most);
}

/* A field of the library whose 0 stands for its default: leaving the option out gives that. */
static bool lacks_zero(const glnn_field *field)
{
    return field->takes_zero && strcmp(field->standard, "0") != 0;
}

/* The allowed values: "an integer from 1 to 9", "relu, tanh or sigmoid". */
static void describe_allowed(const option_row *row, char *text, size_t size)
{
    if (row->library_field) {
        const glnn_field field = field_of(row);
        snprintf(text, size, "%s%s", field.range,
                 lacks_zero(&field) && is_in_range(&field, 0) ? ", but not 0" : "");
        return;
    }
    switch (row->kind) {
    case OPTION_INTEGER:
        snprintf(text, size, "an integer from %.0f to %.0f", row->low, row->high);
        break;
    case OPTION_LIST:
        snprintf(text, size, "1 to %d integers from %.0f to %.0f, separated by commas",
                 OPTION_LIST_CAPACITY, row->low, row->high);
        break;
    case OPTION_NUMBER:
        snprintf(text, size, "a number %s %g %s %g", row->above ? "above" : "from", row->low,
                 row->above   ? row->below ? "and below" : "up to"
                 : row->below ? "to below"
                              : "to",
                 row->high);
        break;
    case OPTION_SEED:
        snprintf(text, size, "an integer from 0 to %llu", (unsigned long long)UINT64_MAX);
        break;
    case OPTION_CHOICE:
        list_names(row, text, size);
        break;
    default:
        snprintf(text, size, "a text that is not empty");
    }
}

/* The greatest number that the type of an option has. Ranges of the library without an upper end do
 * not name it, so the sentence about a greater number does. */
static void explain_greatest(const option_row *row, const char *text, char *out, size_t size)
{
    const double most = row->kind == OPTION_INTEGER ? INT_MAX : (double)FLT_MAX;
    char *end;
    if (row->library_field && field_of(row).most >= most && strtod(text, &end) > most &&
        *end == '\0')
        snprintf(out, size, "; the greatest is %.10g", most);
}

/* By the range of the library, or by that of the row. */
static bool is_allowed(const option_row *row, double value)
{
    const bool is_own = row->library_field == NULL;
    const glnn_field field = is_own ? (glnn_field){.least = row->low,
                                                   .most = row->high,
                                                   .above = row->above,
                                                   .below = row->below}
                                    : field_of(row);
    return is_in_range(&field, value) && !(value == 0 && lacks_zero(&field));
}

static bool read_integer(const option_row *row, const char *text, char **end, int *out)
{
    errno = 0;
    long long value = strtoll(text, end, 10);
    if (*end == text || errno != 0 || value < INT_MIN || value > INT_MAX ||
        !is_allowed(row, (double)value))
        return false;
    *out = (int)value;
    return true;
}

static bool read_number(const option_row *row, const char *text, float *out)
{
    char *end;
    double value = strtod(text, &end);
    *out = (float)value;
    return end != text && *end == '\0' && isfinite(*out) && is_allowed(row, value) &&
           is_allowed(row, (double)*out);
}

static bool read_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || strchr(text, '-') != NULL)
        return false;
    *out = value;
    return true;
}

static bool read_list(const option_row *row, const char *text, option_list *out)
{
    char *end;
    for (out->count = 0; out->count < OPTION_LIST_CAPACITY; text = end + 1) {
        if (!read_integer(row, text, &end, &out->values[out->count]))
            return false;
        ++out->count;
        if (*end != ',')
            return *end == '\0';
    }
    return false;
}

static bool read_choice(const option_row *row, const char *text, int *out)
{
    for (*out = (int)row->low; *out <= (int)row->high; ++*out)
        if (strcmp(row->name_of(*out), text) == 0)
            return true;
    return false;
}

/* Values are copied as bytes, because a choice's field is an enumeration of any type. */
static bool read_value(const option_row *row, const char *text, void *field)
{
    char *end = NULL;
    int integer;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)field = text;
        return text[0] != '\0';
    case OPTION_INTEGER:
        return read_integer(row, text, &end, field) && *end == '\0';
    case OPTION_NUMBER:
        return read_number(row, text, field);
    case OPTION_SEED:
        return read_seed(text, field);
    case OPTION_LIST:
        return read_list(row, text, field);
    case OPTION_CHOICE:
        if (!read_choice(row, text, &integer))
            return false;
        memcpy(field, &integer, sizeof integer);
        return true;
    }
    return false;
}

static bool read_or_refuse(const option_row *row, const char *text, void *field)
{
    char allowed[288], hint[SUGGESTION_TEXT] = "";
    if (read_value(row, text, field))
        return true;
    describe_allowed(row, allowed, sizeof allowed);
    explain_greatest(row, text, hint, sizeof hint);
    if (row->kind == OPTION_CHOICE)
        suggest_choice(row, text, hint);
    return refuse("--%s '%s': %s %s%s", row->name, text,
                  row->kind == OPTION_CHOICE ? "choose one of"
                  : row->kind == OPTION_LIST ? "give"
                                             : "has to be",
                  allowed, hint);
}

static bool set_option(const option_row *row, const char *text, void *settings)
{
    return read_or_refuse(row, text, (char *)settings + row->field);
}

bool options_check_value(const option_row *row, const char *text)
{
    union {
        option_list list;
        uint64_t seed;
        const char *text;
    } value;
    return read_or_refuse(row, text, &value);
}

int options_find(const option_table *table, const char *name)
{
    for (int i = 0; i < table->count; ++i)
        if (table->rows[i].name && strcmp(table->rows[i].name, name) == 0)
            return i;
    return -1;
}

static bool set_defaults(const option_table *table, void *settings)
{
    if (table->count > MOST_ROWS)
        return refuse("a table of %d options: at most %d are possible", table->count, MOST_ROWS);
    memset(settings, 0, table->size);
    for (int i = 0; i < table->count; ++i) {
        const option_row *row = &table->rows[i];
        if (row->name && row->fallback && !set_option(row, row->fallback, settings))
            return false;
    }
    return true;
}

static void list_long_options(const option_table *table, struct option *options)
{
    int count = 0;
    for (int i = 0; i < table->count; ++i) {
        const option_row *row = &table->rows[i];
        if (row->name)
            options[count++] = (struct option){
                row->name, row->kind == OPTION_FLAG ? no_argument : required_argument, NULL,
                FIRST_VALUE + i};
    }
    options[count++] = (struct option){"help", no_argument, NULL, HELP};
    options[count] = (struct option){0};
}

/* Says why getopt_long rejected argv[optind - 1]. */
static bool reject_word(const option_table *table, int found, char **argv)
{
    if (found == ':')
        return refuse("%s: a value is missing", argv[optind - 1]);
    if (optopt >= FIRST_VALUE)
        return refuse("--%s takes no value: '%s'", table->rows[optopt - FIRST_VALUE].name,
                      argv[optind - 1]);
    if (optopt == HELP)
        return refuse("--help takes no value: '%s'", argv[optind - 1]);
    /* getopt_long has passed a long word, and the last letter of a word of letters. */
    const char *word = argv[optind - 1];
    char text[SUGGESTION_TEXT];
    if (optopt != 0 && (word[0] != '-' || word[1] != optopt || word[2] != '\0'))
        word = argv[optind];
    if (optopt == 0 && list_options(table, word, text) > 1)
        return refuse("ambiguous option '%s': %s", word, text);
    suggest_option(table, word, text);
    return refuse("unknown option '%s'%s", word, text);
}

static bool refuse_twice(const option_row *row, const char *first, const char *second)
{
    return row->is_list ? refuse("--%s is given twice; commas separate its values: --%s '%s,%s'",
                                 row->name, row->name, first, second)
                        : refuse("--%s is given twice", row->name);
}

bool options_parse(const option_table *table, int argc, char **argv, void *settings, bool *help)
{
    struct option options[MOST_ROWS + 2];
    const char *given[MOST_ROWS] = {NULL};
    int found;
    *help = false;
    if (!set_defaults(table, settings))
        return false;
    list_long_options(table, options);
    opterr = 0;
    optind = 0; /* resets getopt for a second call in one process */
    while ((found = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (found == HELP)
            return *help = true;
        if (found < FIRST_VALUE)
            return reject_word(table, found, argv);
        if (given[found - FIRST_VALUE])
            return refuse_twice(&table->rows[found - FIRST_VALUE], given[found - FIRST_VALUE],
                                optarg);
        given[found - FIRST_VALUE] = optarg ? optarg : "";
        if (!set_option(&table->rows[found - FIRST_VALUE], optarg, settings))
            return false;
    }
    if (optind < argc)
        return refuse("unexpected argument '%s'", argv[optind]);
    if (table->given > 0)
        memcpy((char *)settings + table->given, given, (size_t)table->count * sizeof *given);
    return table->check == NULL || table->check(settings);
}

/* Writes words from `column` on, continued on lines that start at TEXT_COLUMN. */
static void write_wrapped(FILE *out, const char *text, int column)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > TEXT_END) {
            fprintf(out, "\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
        }
        column += fprintf(out, " %.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void write_row(FILE *out, const option_row *row)
{
    char allowed[288] = "", text[1536];
    const char *argument = row->argument ? row->argument : "WORD";
    bool flag = row->kind == OPTION_FLAG;
    int column = fprintf(out, "  --%s%s%s", row->name, flag ? "" : " ", flag ? "" : argument);
    const glnn_field field = field_of(row);
    const char *standard = row->fallback ? row->fallback : row->library_field ? field.standard : "";
    if (row->kind == OPTION_CHOICE || row->library_field)
        describe_allowed(row, allowed, sizeof allowed);
    snprintf(text, sizeof text, "%s%s%s%s%s%s", row->help,
             row->kind == OPTION_CHOICE ? "; one of "
             : row->library_field       ? "; "
                                        : "",
             allowed, *standard ? " (default: " : "", standard, *standard ? ")" : "");
    fprintf(out, "%*s", column < TEXT_COLUMN ? TEXT_COLUMN - column : 0, "");
    write_wrapped(out, text, column < TEXT_COLUMN ? TEXT_COLUMN : column);
}

static const char *name_of(const option_table *table)
{
    const char *slash = strrchr(table->program, '/');
    return slash ? slash + 1 : table->program;
}

void options_help(const option_table *table, FILE *out)
{
    fprintf(out, "usage: %s [option ...]\n\n%s\n", name_of(table), table->summary);
    for (int i = 0; i < table->count; ++i) {
        if (table->rows[i].name)
            write_row(out, &table->rows[i]);
        else
            fprintf(out, "\n%s\n", table->rows[i].help);
    }
    write_row(out, &(option_row){.name = "help", .kind = OPTION_FLAG, .help = "this text"});
}

void options_require(const option_table *table, bool done)
{
    if (done)
        return;
    fprintf(stderr, "%s: %s\n%s --help lists all options\n", name_of(table), failure(),
            name_of(table));
    exit(2);
}

void options_read(const option_table *table, int argc, char **argv, void *settings)
{
    bool help;
    options_require(table, options_parse(table, argc, argv, settings, &help));
    if (help) {
        options_help(table, stdout);
        exit(output_status());
    }
}
