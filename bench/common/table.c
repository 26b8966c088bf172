#include "common/table.h"

#include <math.h>
#include <string.h>

#include "common/failure.h"
#include "common/folder.h"

void table_open(table *t, const char *folder, const char *name, const column *columns, int count)
{
    char file[256], path[PATH_CAPACITY];
    snprintf(file, sizeof file, "%s.csv", name);
    REQUIRE(path_join(path, folder, file));
    *t = (table){columns, count, 0, fopen(path, "w")};
    if (!t->csv)
        REQUIRE(refuse("cannot write the file %s", path));
    printf("\n%s\n", name);
    for (int i = 0; i < count; ++i) {
        if (columns[i].width > 0)
            printf("%s%*s", i > 0 ? "  " : "",
                   columns[i].is_text ? -columns[i].width : columns[i].width, columns[i].name);
        fprintf(t->csv, "%s%s", columns[i].name, i + 1 < count ? "," : "\n");
    }
    printf("\n");
}

void table_close(table *t)
{
    const bool failed = ferror(t->csv) != 0;
    if (fclose(t->csv) != 0 || failed)
        REQUIRE(refuse("cannot write a table: the disk may be full"));
}

static void put(table *t, const char *printed, const char *written)
{
    const column *c = &t->columns[t->next];
    if (c->width > 0)
        printf("%s%*s", t->next > 0 ? "  " : "", c->is_text ? -c->width : c->width, printed);
    const bool is_last = ++t->next == t->count;
    fprintf(t->csv, "%s%s", written, is_last ? "\n" : ",");
    if (!is_last)
        return;
    printf("\n");
    fflush(stdout);
    fflush(t->csv);
    t->next = 0;
}

void table_text(table *t, const char *text)
{
    char quoted[512];
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    put(t, text, strpbrk(text, ",") ? quoted : text);
}

void table_number(table *t, double value)
{
    if (!isfinite(value)) {
        put(t, "-", "");
        return;
    }
    char printed[32], written[32];
    const int decimals = value == floor(value) || fabs(value) >= 1000 ? 0
                         : fabs(value) >= 100                         ? 1
                         : fabs(value) >= 10                          ? 2
                                                                      : 3;
    snprintf(printed, sizeof printed, "%.*f", decimals, value);
    snprintf(written, sizeof written, "%.7g", value);
    put(t, printed, written);
}
