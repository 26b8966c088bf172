#include <stdlib.h>
#include <string.h>

enum { CLEAN_ROOM = 256 };

/* A text as a table has it: without blanks around it, and a number with a decimal comma has a
 * point. Texts that have to be changed and do not fit stay as they are. NULL becomes "". */
static const char *clean_text(const char *text, int has_comma, char room[CLEAN_ROOM])
{
    size_t length;
    char *comma, *end;
    if (!text)
        return "";
    text += strspn(text, " \t");
    length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        --length;
    if (length >= CLEAN_ROOM || (!text[length] && !(has_comma && strchr(text, ','))))
        return text;
    memcpy(room, text, length);
    room[length] = 0;
    comma = has_comma && !room[strspn(room, "0123456789+-.,eE")] ? strchr(room, ',') : NULL;
    if (comma) {
        *comma = '.';
        strtod(room, &end);
        if (*end)
            *comma = ',';
    }
    return room;
}
