/* Names of enumerations for the command line. */
#ifndef TRAIN_NAMES_H
#define TRAIN_NAMES_H

const char *option_loss(int value);
const char *option_init(int value);
const char *option_optimizer_kind(int value);
const char *option_schedule_kind(int value);
const char *option_lvq_init(int value);

#endif
