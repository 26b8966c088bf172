#!/usr/bin/env python3
"""scripts/check_prose.py [PATH...] - checks the sentences of documents, comments and messages.

Without paths it checks the documents, the comments of all code, and the messages of the library and
the examples. It prints `file:line: rule: sentence` for each sentence that

  - has more than 38 words,
  - begins with "What" and is not a question, or
  - has a phrase that is always wrong in these documents (PHRASES below).

Items of lists, cells of tables, headings and aligned columns are sentences of their own. Code
blocks are skipped; code within a sentence counts as one word."""
import re
import signal
import sys
from pathlib import Path

MOST_WORDS = 38

# A phrase, as a regular expression, and what to write instead. Only phrases that are always wrong:
# "stands for", "behind" or "where" also have good uses, so readers have to judge them.
MORE = r"(?:longer|larger|more|less|greater|smaller|fewer|better|worse|slower|faster|later|wider)"
PHRASES = [
    (rf"(?<!there )\b(?:is|are|was|were) no (?!{MORE}\b)", "is not, is not a"),
    (r"\bno such\b", "name what is missing"),
    (r"\bsuch (?:a )?one\b", "name it"),
    (r"\blikewise\b", "also, too"),
    (r"\bbesides?\b", "next to, with; also"),
    (r"\bdear(?:er|est|ly)?\b(?! imgui)", "expensive, slow"),
    (r"\breckon(?:s|ed|ing)?\b", "compute, count"),
    (r"\blooks? well\b", "good"),
    (r"\bstr(?:ing|ings|ung) together\b", "combine, join"),
    (r"\b(?:goes|go|went|going) without\b", "needs no, does not need"),
    (r"\bstands? in for\b", "replaces"),
    (r"\bthere (?:is|are) so\b", "so there is"),
    (r"\b(?:comes?|came) by\b", "gets"),
    (r"\bat hand\b", "available"),
    (r",? say,", "for example"),
    (r"\bthat what\b", "name it"),
    (r"(?:^|[.;:] )that which\b", "name it"),
    (r"; what\b", "name the subject"),
    (r"\bno \w+ that can be\b", "is not valid"),
    (r"\bthere is no kind\b", "its kind is unknown"),
    (r"\b(?:has|have|had) lent\b", "of"),
    (r"\bagain and again\b", "repeatedly"),
    (r"\bapart from others\b", "differs from others"),
    (r"\bbecomes? the sums? of all\b", "sums over all"),
    (r"\bexpects the samples\b", "finds the responsibilities"),
    (r"\bparts that were carried out\b", "name what is reset"),
]
PHRASES = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PHRASES]

TREES = {
    "docs": {".md"},
    "include": {".h"},
    "lib": {".c", ".h"},
    "shaders": {".glsl", ".vert", ".frag"},
    "examples": {".c", ".h", ".cpp", ".hpp", ".glsl", ".md"},
    "tests": {".c", ".h", ".cpp", ".glsl"},
    "bench": {".c", ".h", ".glsl", ".vert", ".frag", ".py", ".sh", ".gp"},
    "scripts": {".sh", ".py"},
}
ENDINGS = set().union(*TREES.values())
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md",
             "Makefile"]


def chosen_files(names):
    files = []
    for path in map(Path, names or [*DOCUMENTS, *TREES]):
        endings = TREES.get(path.name, ENDINGS)
        files += sorted(file for file in path.rglob("*") if file.suffix in endings)
        files += [path] if path.is_file() else []
    return files


# ---- From a file to texts: (number of the first line, lines)

ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
TAG = re.compile(r"^\s*[@\\](\w+)\s*")
NAMED_TAG = {"param", "retval", "ref", "addtogroup", "defgroup", "ingroup", "file", "example"}
TITLE = re.compile(r"^\s*[A-Z]\w*(?: \w+)?:?\s{2,}(?=\S)")
NAMED = re.compile(r"^\s*`?[\w.]+`?(?:, `?[\w.]+`?)*(?: {2,}|: )")


class Texts:
    """Collects lines into texts. A text ends at an empty line, an item, a tag or a cell."""

    def __init__(self):
        self.texts = []
        self.lines = []
        self.first = 0

    def add(self, number, line):
        if not self.lines:
            self.first = number
        self.lines.append(line)

    def end(self):
        if self.lines:
            self.texts.append((self.first, self.lines))
            self.lines = []

    def add_alone(self, number, line):
        self.end()
        self.add(number, line)
        self.end()


def markdown_texts(lines):
    texts = Texts()
    is_fenced = is_code = False
    was_empty = True
    list_indent = 0  # columns that the continuation of the innermost list item is indented by
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if stripped.startswith(("```", "~~~")):
            texts.end()
            is_fenced = not is_fenced
            continue
        if is_fenced:
            continue
        if not stripped:
            texts.end()
            was_empty = True
            continue
        if was_empty and indent < list_indent and not ITEM.match(line):
            list_indent = 0
        is_code = indent >= list_indent + 4 and (is_code or was_empty)
        was_empty = False
        if is_code:
            continue
        item = ITEM.match(line)
        if stripped.startswith("|"):
            texts.end()
            for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
                if cell.strip() and not re.fullmatch(r"[\s:-]+", cell):
                    texts.add_alone(number, cell)
        elif stripped.startswith("#"):
            texts.add_alone(number, stripped.lstrip("#"))
        elif item:
            texts.end()
            list_indent = item.end()
            texts.add(number, line[item.end():])
        else:
            texts.add(number, line)
    texts.end()
    return texts.texts


def comment_texts(comment):
    """The texts of one comment, a list of (number, line) without the comment's own marks."""
    texts = Texts()
    until = None  # the command that ends a block of code
    base = 0  # indent of the paragraph that a deeper line follows
    was_empty = True
    is_code = in_columns = False
    for number, line in comment:
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if until:
            until = None if re.search(until, line) else until
            continue
        block = re.match(r"[@\\](code|verbatim|dot|f\[|f\{)", stripped)
        if block or stripped.startswith("```"):
            texts.end()
            name = block.group(1) if block else ""
            until = {"": "```", "f[": r"[@\\]f\]", "f{": r"[@\\]f\}"}.get(name, r"[@\\]end" + name)
            continue
        if not stripped:
            texts.end()
            was_empty, in_columns = True, False
            continue
        is_code = indent >= base + 4 and (is_code or was_empty) and not ITEM.match(line)
        was_empty = False
        if is_code:
            continue
        tag = TAG.match(line)
        if tag:
            texts.end()
            line = line[tag.end():]
            if tag.group(1) in NAMED_TAG:
                line = re.sub(r"^(?:\[[a-z,]+\]\s*)?\S+", "", line)
        elif ITEM.match(line):
            texts.end()
            line = line[ITEM.match(line).end():]
        elif TITLE.match(line):
            texts.end()
            line = line[TITLE.match(line).end():]
        elif texts.lines and texts.lines[-1].rstrip().endswith(":") and indent > base:
            texts.end()
            in_columns = True
        elif indent > base and NAMED.match(line):
            texts.end()
            in_columns = True
        else:
            if in_columns and indent <= base:
                texts.end()
                in_columns = False
            if not texts.lines:
                base = indent
        columns = re.split(r"(?<=[^\s.]) {2,}(?=\S)", line.rstrip())
        if len(columns) > 1:
            for column in columns[:-1]:
                texts.add_alone(number, column)
        texts.add(number, columns[-1])
    texts.end()
    return texts.texts


C_TOKEN = re.compile(
    r'(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>'(?:\\.|[^'\\\n])*')", re.DOTALL)


def unmark(text, number):
    """The lines of a comment without /*, * and //, with their numbers."""
    text = re.sub(r"^(?:/\*\*?<?|//[/!]?<?)", lambda mark: " " * len(mark.group()), text)
    text = re.sub(r"\s*\*/$", "", text)
    lines = text.split("\n")
    rest = [re.sub(r"^\s*\* ?", " ", line) if re.match(r"\s*\*(\s|$)", line) else line
            for line in lines[1:]]
    first = " " + lines[0].lstrip()
    return [(number + i, line) for i, line in enumerate([first] + rest)]


def message_texts(message):
    """The texts of a string: its lines, split at columns. A conversion counts as one word."""
    number, text = message
    text = re.sub(r"%[-+ 0#]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|t|j)?[a-zA-Z]", "X", text)
    text = re.sub(r"\\[\"'\\]", "'", text)
    return [(number, [part]) for part in re.split(r"\\[nt]| {2,}", text) if part.count(" ") > 2]


def c_texts(source, has_messages):
    texts = []
    comments = []  # runs of // lines
    messages = []
    last_end, last_kind, last_line = 0, "", 0
    for token in C_TOKEN.finditer(source):
        kind = token.lastgroup
        number = source.count("\n", 0, token.start()) + 1
        between = source[last_end:token.start()]
        if kind == "block":
            comments.append(unmark(token.group(), number))
        elif kind == "line" and not token.group().startswith("//!"):
            line_start = source.rfind("\n", 0, token.start()) + 1
            is_alone = not source[line_start:token.start()].strip()
            text = " " + token.group()[2:]
            if is_alone and last_kind == "line" and last_line == number - 1 and comments:
                comments[-1].append((number, text))
            else:
                comments.append([(number, text)])
            last_line = number
        elif kind == "string" and not re.search(r"#\s*include\s*$", between):
            text = token.group()[1:-1]
            if last_kind == "string" and re.fullmatch(r"(?:\s|PRI\w+)*", between):
                first, before = messages[-1]
                messages[-1] = (first, before + ("X" if "PRI" in between else "") + text)
            else:
                messages.append((number, text))
        last_end, last_kind = token.end(), kind
    for comment in comments:
        texts += comment_texts(comment)
    if has_messages:
        for message in messages:
            texts += message_texts(message)
    return texts


def script_texts(lines):
    """The comments of a script, lines that begin with #, and the docstrings of Python."""
    texts = []
    comment = []
    in_docstring = False
    for number, line in enumerate([*lines, ""], 1):
        stripped = line.strip()
        if in_docstring or stripped.startswith('"""'):
            marks = stripped.count('"""')
            comment.append((number, line.replace('"""', "")))
            in_docstring = in_docstring != (marks == 1)
        elif stripped.startswith("#") and not stripped.startswith(("#!", "# shellcheck")):
            comment.append((number, re.sub(r"^\s*#", "", line)))
        elif comment:
            texts += comment_texts(comment)
            comment = []
    return texts


def texts_of(path):
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return markdown_texts(source.split("\n"))
    if path.suffix in {".sh", ".py", ".gp", ""}:
        return script_texts(source.split("\n"))
    return c_texts(source, path.parts[0] in {"lib", "examples"})


# ---- From a text to sentences

ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|vs|cf|etc|Fig)\.$")
SENTENCE_END = re.compile(r"[.!?][\"')\]*_]*(?=\s|$)")


def plain(text):
    """Code becomes one word, links their texts. Line breaks stay, because lines are counted."""
    def one_word(match):
        return "CODE" + "\n" * match.group().count("\n")
    text = re.sub(r"``.+?``|`[^`]+`", one_word, text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"[@\\]f\$.*?[@\\]f\$", one_word, text, flags=re.DOTALL)
    return re.sub(r"https?://\S+", "LINK", text)


def sentences(first, lines):
    text = plain("\n".join(lines))
    start = 0
    ends = [match.end() for match in SENTENCE_END.finditer(text)
            if not ABBREVIATION.search(text[:match.start() + 1])]
    for end in [*ends, len(text)]:
        sentence = text[start:end]
        skipped = len(sentence) - len(sentence.lstrip())
        number = first + text.count("\n", 0, start + skipped)
        start = end
        if sentence.strip():
            yield number, " ".join(sentence.split())


def complaints(sentence):
    words = [word for word in sentence.split() if re.search(r"\w", word)]
    if len(words) > MOST_WORDS:
        yield f"{len(words)} words"
    opening = sentence.lstrip("\"'(*_-: ")
    if re.match(r"[Ww]hat\b", opening) and not re.search(r"\?\W*$", sentence):
        yield "begins with What"
    for pattern, instead in PHRASES:
        match = pattern.search(sentence)
        if match:
            yield f"\"{match.group().strip(' ,;')}\" (instead: {instead})"


def main():
    found = 0
    for path in chosen_files(sys.argv[1:]):
        for first, lines in texts_of(path):
            for number, sentence in sentences(first, lines):
                for complaint in complaints(sentence):
                    print(f"{path}:{number}: {complaint}: {sentence}")
                    found += 1
    if found:
        print(f"{found} sentences to change", file=sys.stderr)
    return 1 if found else 0


signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for `| head`
sys.exit(main())
