/* Values of JSON. */
#ifndef TRAIN_JSON_H
#define TRAIN_JSON_H

#include <stdio.h>

/* A text in quotes. Bytes that are not UTF-8 become U+FFFD, because JSON has no others. */
void json_text(FILE *file, const char *text);

/* The shortest decimal number that is read back as the same double or float; null for NaN and
 * infinity. */
void json_double(FILE *file, double number);
void json_float(FILE *file, float number);

/* "name": - the beginning of a member. */
void json_name(FILE *file, const char *name);

/* Members of an object with numbers. */
typedef struct json_member {
    const char *name;
    double value;
} json_member;

void json_members(FILE *file, const char *between, const json_member *members, size_t count);

/* The same for members in braces, such as {"loss", loss}. */
#define JSON_MEMBERS(file, between, ...)                                                           \
    json_members(file, between, (json_member[]){__VA_ARGS__},                                      \
                 sizeof(json_member[]){__VA_ARGS__} / sizeof(json_member))

#endif
