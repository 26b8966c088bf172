/* answer - says which species a penguin is. Compile it together with the exported penguins.c. */
#include <stdio.h>

#define PENGUINS_DECLARATIONS_ONLY
#include "penguins.c"

int main(int argc, char **argv)
{
    float input[PENGUINS_FEATURES], probability[PENGUINS_OUTPUTS];

    if (argc != 1 + PENGUINS_FIELDS) {
        fprintf(stderr, "usage: %s ISLAND BILL_LENGTH BILL_DEPTH FLIPPER_LENGTH MASS SEX\n", *argv);
        return 2;
    }
    const int wrong = penguins_encode((const char *const *)argv + 1, input);
    if (wrong > 0) {
        fprintf(stderr, "field %d is not a number: %s\n", wrong, argv[wrong]);
        return 2;
    }
    if (wrong < 0)
        printf("unknown categories: %d\n", -wrong);
    penguins_predict(input, probability);
    const int best = penguins_classify(input);
    printf("%s, probability %.2f", penguins_classes[best], (double)probability[best]);
    printf(probability[best] < 0.9f ? ": not sure\n" : "\n");
    return 0;
}
