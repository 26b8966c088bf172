#include "net/layer_numbers.h"

#include <stddef.h>
#include <string.h>

static const char *kind_name(int kind)
{
    return glnn_layer_kind_name((glnn_layer_kind)kind);
}

static const char *activation_name(int activation)
{
    return glnn_activation_name((glnn_activation)activation);
}

#define FIELD(field) .name = #field, .offset = offsetof(glnn_layer_desc, field)

const glnn__layer_number glnn__layer_numbers[GLNN__LAYER_NUMBERS] = {
    {FIELD(kind), .key = "layers", .choice = kind_name, .choices = GLNN_LAYER_COUNT,
     .wanted = "1 to 32 kinds of layers with commas between"},
    {FIELD(units), .key = "units", .flag = GLNN__LAYER_UNITS,
     .wanted = "an int for each of the layers, with commas between"},
    {FIELD(activation), .key = "activations", .flag = GLNN__LAYER_ACTIVATION,
     .choice = activation_name, .choices = GLNN_ACTIVATION_COUNT,
     .wanted = "a function's name for each of the layers, with commas between"},
    {FIELD(rate), .key = "rates", .flag = GLNN__LAYER_RATE, .is_float = true, .may_differ = true,
     .wanted = "a number for each of the layers, with commas between"},
};

double glnn__layer_number_get(const glnn__layer_number *number, const glnn_layer_desc *desc)
{
    const char *field = (const char *)desc + number->offset;
    int integer = 0;
    float real = 0;
    memcpy(number->is_float ? (void *)&real : &integer, field, sizeof integer);
    return number->is_float ? (double)real : integer;
}

void glnn__layer_number_set(const glnn__layer_number *number, double value, glnn_layer_desc *desc)
{
    char *field = (char *)desc + number->offset;
    const int integer = number->is_float ? 0 : (int)value;
    const float real = (float)value;
    memcpy(field, number->is_float ? (const void *)&real : &integer, sizeof integer);
}
