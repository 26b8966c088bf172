#include "io/growing_text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

void glnn__text_print(glnn__growing_text *to, const char *format, ...)
{
    for (int length = 0; !to->is_cut; to->is_cut = length < 0) {
        const size_t room = to->capacity - to->size;
        va_list arguments;
        va_start(arguments, format);
        length = vsnprintf(room ? to->text + to->size : NULL, room, format, arguments);
        va_end(arguments);
        if (length >= 0 && (size_t)length < room) {
            to->size += (size_t)length;
            return;
        }
        if (!glnn__memory_grow(&to->text, to->capacity, &to->capacity, 1))
            length = -1;
    }
}
