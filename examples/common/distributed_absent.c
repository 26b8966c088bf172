#include "distributed.h"

#include "failure.h"

bool distributed_start(const distributed_options *options, distributed **out)
{
    *out = NULL;
    return !options->wanted || refuse("--distributed: this program was built without MPI");
}

int distributed_device(const distributed *with, int device)
{
    (void)with;
    return device;
}

glnn_exchange_desc distributed_exchange(distributed *with)
{
    (void)with;
    return (glnn_exchange_desc){0};
}

bool distributed_is_first(const distributed *with)
{
    (void)with;
    return true;
}

void distributed_show(const distributed *with, const glnn_dataset *data,
                      const glnn_train_result *result)
{
    (void)with, (void)data, (void)result;
}

void distributed_end(distributed *with)
{
    (void)with;
}
