#include "io/chart/font.h"

enum { FIRST = ' ', LAST = '~', BLANK_COLUMNS = 2 };

static const char *const strokes[LAST - FIRST + 1] = {
    ['!' - FIRST] = "2824 2222",
    ['"' - FIRST] = "1816 3836",
    ['#' - FIRST] = "1218 3238 0444 0646",
    ['$' - FIRST] = "473818070615354443321203 2128",
    ['%' - FIRST] = "0248 0818170708 3343423233",
    ['&' - FIRST] = "420607182726150403123244",
    ['\'' - FIRST] = "2826",
    ['(' - FIRST] = "38262432",
    [')' - FIRST] = "18262412",
    ['*' - FIRST] = "2327 0446 0644",
    ['+' - FIRST] = "0545 2327",
    [',' - FIRST] = "2311",
    ['-' - FIRST] = "1535",
    ['.' - FIRST] = "1222 1323",
    ['/' - FIRST] = "0248",
    ['0' - FIRST] = "123243473818070312",
    ['1' - FIRST] = "072822 0242",
    ['2' - FIRST] = "07183847460242",
    ['3' - FIRST] = "07183847463515 354443321203",
    ['4' - FIRST] = "32380444",
    ['5' - FIRST] = "480805354443321203",
    ['6' - FIRST] = "473818070312324344351504",
    ['7' - FIRST] = "084812",
    ['8' - FIRST] = "15060718384746351504031232434435",
    ['9' - FIRST] = "031232434738180706153546",
    [':' - FIRST] = "2324 2627",
    [';' - FIRST] = "2311 2627",
    ['<' - FIRST] = "370533",
    ['=' - FIRST] = "0646 0444",
    ['>' - FIRST] = "174513",
    ['?' - FIRST] = "07183847462524 2222",
    ['@' - FIRST] = "352524344447381807031242",
    ['A' - FIRST] = "022842 1434",
    ['B' - FIRST] = "02083847463505 35444332 3202",
    ['C' - FIRST] = "4738180703123243",
    ['D' - FIRST] = "02083847433202",
    ['E' - FIRST] = "48080242 0535",
    ['F' - FIRST] = "480802 0535",
    ['G' - FIRST] = "47381807031232434525",
    ['H' - FIRST] = "0802 4842 0545",
    ['I' - FIRST] = "1838 2822 1232",
    ['J' - FIRST] = "4843321203",
    ['K' - FIRST] = "0802 4804 1542",
    ['L' - FIRST] = "080242",
    ['M' - FIRST] = "0208254842",
    ['N' - FIRST] = "02084248",
    ['O' - FIRST] = "123243473818070312",
    ['P' - FIRST] = "02083847463505",
    ['Q' - FIRST] = "123243473818070312 2442",
    ['R' - FIRST] = "02083847463505 2542",
    ['S' - FIRST] = "473818070615354443321203",
    ['T' - FIRST] = "0848 2822",
    ['U' - FIRST] = "080312324348",
    ['V' - FIRST] = "082248",
    ['W' - FIRST] = "0812263248",
    ['X' - FIRST] = "0248 0842",
    ['Y' - FIRST] = "082548 2522",
    ['Z' - FIRST] = "08480242",
    ['[' - FIRST] = "38181232",
    ['\\' - FIRST] = "0842",
    [']' - FIRST] = "18383212",
    ['^' - FIRST] = "062846",
    ['_' - FIRST] = "0141",
    ['`' - FIRST] = "1826",
    ['a' - FIRST] = "4642 4536160503123243",
    ['b' - FIRST] = "0802 0516364543321203",
    ['c' - FIRST] = "4536160503123243",
    ['d' - FIRST] = "4842 4536160503123243",
    ['e' - FIRST] = "04444536160503123243",
    ['f' - FIRST] = "382722 1636",
    ['g' - FIRST] = "4641301001 4536160503123243",
    ['h' - FIRST] = "0802 0516364542",
    ['i' - FIRST] = "2622 2828",
    ['j' - FIRST] = "262110 2828",
    ['k' - FIRST] = "0802 3603 1432",
    ['l' - FIRST] = "282332",
    ['m' - FIRST] = "0602 05162522 25364542",
    ['n' - FIRST] = "0602 0516364542",
    ['o' - FIRST] = "123243453616050312",
    ['p' - FIRST] = "0600 0516364543321203",
    ['q' - FIRST] = "4640 4536160503123243",
    ['r' - FIRST] = "0602 051636",
    ['s' - FIRST] = "45361605143443321203",
    ['t' - FIRST] = "18132232 0626",
    ['u' - FIRST] = "0603123243 4642",
    ['v' - FIRST] = "062246",
    ['w' - FIRST] = "0612253246",
    ['x' - FIRST] = "0246 0642",
    ['y' - FIRST] = "0603123243 4641301001",
    ['z' - FIRST] = "06460242",
    ['{' - FIRST] = "38272615242332",
    ['|' - FIRST] = "2028",
    ['}' - FIRST] = "18272635242312",
    ['~' - FIRST] = "05163546",
};

const char *glnn__font_strokes(char character)
{
    const char *found = character >= FIRST && character <= LAST ? strokes[character - FIRST] : "";
    return found ? found : "";
}

void glnn__font_extent(char character, int *first, int *last)
{
    const char *at = glnn__font_strokes(character);
    *first = *at ? 4 : 0;
    *last = *at ? 0 : BLANK_COLUMNS;
    while (*at) {
        const int column = at[0] - '0';
        *first = column < *first ? column : *first;
        *last = column > *last ? column : *last;
        at += at[2] == ' ' ? 3 : 2;
    }
}

bool glnn__font_has(const char *text)
{
    for (; *text; ++text)
        if (*text < FIRST || *text > LAST)
            return false;
    return true;
}

double glnn__font_width(const char *text)
{
    double width = *text ? -GLNN__FONT_SPACE : 0;
    for (; *text; ++text) {
        int first, last;
        glnn__font_extent(*text, &first, &last);
        width += last - first + GLNN__FONT_SPACE;
    }
    return width;
}
