/* The numbers of a layer's description, for checks, sentences and files. */
#ifndef GLNN__NET_LAYER_NUMBERS_H
#define GLNN__NET_LAYER_NUMBERS_H

#include "net/layer.h"

typedef struct glnn__layer_number {
    const char *name; /* of the field */
    const char *key; /* of a file's text, which has the numbers of all layers with commas between */
    size_t offset;   /* in glnn_layer_desc, of an int or an enumerator */
    unsigned flag;   /* of glnn__layer_type.uses; 0: all types use it */
    const char *(*choice)(int value); /* the name of an enumerator; NULL: a number */
    int choices;
    bool is_float;      /* a float, and not an int */
    bool may_differ;    /* between a network and the file that is restored into it */
    const char *wanted; /* in the text */
} glnn__layer_number;

/* The kind comes first. */
enum { GLNN__LAYER_NUMBERS = 4 };
extern const glnn__layer_number glnn__layer_numbers[GLNN__LAYER_NUMBERS];

double glnn__layer_number_get(const glnn__layer_number *number, const glnn_layer_desc *desc);
void glnn__layer_number_set(const glnn__layer_number *number, double value, glnn_layer_desc *desc);

#endif
