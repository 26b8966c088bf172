/* Failures of processes and of the messenger. */
#include "learn/exchange/message.h"

#include "base/status.h"

glnn_status glnn__exchange_check_call(glnn__exchange *exchange, glnn_status status)
{
    exchange->is_over = exchange->is_over || status;
    exchange->is_known = false;
    return status ? glnn__exchange_check_alive(exchange) : GLNN_OK;
}

glnn_status glnn__exchange_check_alive(const glnn__exchange *exchange)
{
    const glnn_messenger *messenger = exchange->messenger;
    return exchange->is_over
               ? glnn__fail(GLNN_E_PROCESS, "%s", messenger->get_error(messenger->user))
               : GLNN_OK;
}

void glnn__exchange_abandon(glnn__exchange *exchange)
{
    if (exchange)
        exchange->is_over = true;
}

glnn_status glnn__exchange_fail(glnn__exchange *exchange, glnn_status status)
{
    if (!exchange || !status || exchange->is_over)
        return status;
    exchange->is_over = true;
    if (exchange->is_known)
        return status;
    exchange->messenger->fail(exchange->messenger->user, glnn_last_error());
    return status;
}
