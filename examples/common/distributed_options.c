#include "distributed.h"

#include "failure.h"

bool distributed_check(const distributed_options *options)
{
    const char *given = options->kind != GLNN_EXCHANGE_AUTO ? "exchange"
                        : options->every > 0                ? "exchange-every"
                                                            : NULL;
    return options->wanted || !given || refuse("--%s: it needs --distributed", given);
}
