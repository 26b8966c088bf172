#include "base/process.h"

#include <unistd.h>

long glnn__process_number(void)
{
    return (long)getpid();
}
