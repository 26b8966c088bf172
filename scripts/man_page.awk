# scripts/man_page.awk - prints a manual page.
#
#     awk -v page='glnn(7)' -v version=0.2.0 -v summary='...' -f scripts/man_page.awk glnn.md
#     program --help | awk -v page='program(1)' -v version=0.2.0 -f scripts/man_page.awk
#
# Section 7 is made from a Markdown document with headings, paragraphs, lists, tables of two columns
# and code. Section 1 is made from the output of --help: the usage, a sentence, and options below
# headings, with their meanings in a column of their own.

# The text as roff prints it.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/\x27/, "\\(aq", text)
    return text
}

# The text of a Markdown paragraph: code is bold, links are their texts.
function marked(text,    out, parts, count, i) {
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        out = substr(text, RSTART, RLENGTH)
        sub(/\]\(.*/, "", out)
        text = substr(text, 1, RSTART - 1) substr(out, 2) substr(text, RSTART + RLENGTH)
    }
    gsub(/@ref /, "", text)
    count = split(plain(text), parts, "`")
    out = ""
    for (i = 1; i <= count; ++i)
        out = out (i % 2 ? parts[i] : "\\fB" parts[i] "\\fR")
    return line(out)
}

# A line that begins with a dot would be a command.
function line(text) {
    return text ~ /^\./ ? "\\&" text : text
}

function start(name, section) {
    printf ".TH %s %s \"\" \"libglnn %s\"\n", toupper(name), section, version
    print ".SH NAME"
    print plain(name) " \\- " plain(summary)
}

function open_code() {
    if (!in_code)
        print ".PP\n.in +4n\n.nf"
    in_code = 1
}

function close_code() {
    if (in_code)
        print ".fi\n.in"
    in_code = 0
}

BEGIN {
    name = page
    sub(/\(.*/, "", name)
    section = substr(page, length(name) + 2, 1)
    if (section == 7)
        start(name, section)
}

section == 7 && /^```/ {
    is_fenced = !is_fenced
    if (is_fenced)
        open_code()
    else
        close_code()
    next
}
section == 7 && (is_fenced || /^    /) {
    open_code()
    print line(plain(is_fenced ? $0 : substr($0, 5)))
    next
}
section == 7 { close_code() }
section == 7 && /^# / { print ".SH DESCRIPTION"; next }
section == 7 && /^## / { print ".SH " toupper(substr($0, 4)); rows = 0; next }
section == 7 && /^\|/ {
    if (++rows > 2) {
        split($0, cell, / *\| */)
        print ".TP\n" marked(cell[2]) "\n" marked(cell[3])
    }
    next
}
section == 7 && /^- / { print ".IP \\(bu 2\n" marked(substr($0, 3)); next }
section == 7 && /./ { print ".PP\n" marked($0); rows = 0 }

section == 1 && /^usage: / {
    usage = $0
    sub(/^usage: [^ ]+ */, "", usage)
    next
}
section == 1 && /^[^ ]/ && !has_summary { sentence = sentence (sentence ? " " : "") $0; next }
section == 1 && /^$/ && sentence && !has_summary {
    has_summary = 1
    summary = tolower(substr(sentence, 1, 1)) substr(sentence, 2)
    sub(/\.$/, "", summary)
    start(name, section)
    print ".SH SYNOPSIS\n.B " plain(name) "\n" plain(usage)
    print ".SH DESCRIPTION\n" plain(sentence)
    next
}
section == 1 && /^[^ ]/ && !has_options { print ".SH OPTIONS"; has_options = 1 }
section == 1 && /^[^ ]/ { print ".SS " plain($0); next }
section == 1 && /^  -/ {
    option = substr($0, 3)
    meaning = ""
    if (match(option, /  +/)) {
        meaning = substr(option, RSTART + RLENGTH)
        option = substr(option, 1, RSTART - 1)
    }
    count = split(option, words, " ")
    printf ".TP\n\\fB%s\\fR", plain(words[1])
    print (count > 1 ? " \\fI" plain(words[2]) "\\fR" : "")
    print line(plain(meaning))
    next
}
section == 1 && /^ / { sub(/^ +/, ""); print line(plain($0)) }

END {
    close_code()
    if (section == 1) {
        print ".SH EXIT STATUS"
        print "0: success. 1: a failure, with a message. 2: an error in the command line."
        print ".SH SEE ALSO\n.BR glnn (7)"
    }
}
