#!/usr/bin/env python3
"""docs/reference/filter.py FILE - prints a header or a document as Doxygen should read it.

Each header becomes a group within the group of its room, so that one page has its description and
all that it declares. Names of functions and headers in its comments become links. In documents,
headings get the anchors that they have on GitHub, and links are turned to pages of the reference.
A link to a file that has no page becomes plain text."""
import os
import re
import sys
from pathlib import Path

PAGES = Path("docs")
EXAMPLES = Path("examples")


def functions():
    symbols = Path("lib/glnn.map").read_text(encoding="utf-8")
    return set(re.findall(r"\b(glnn_\w+);", symbols))


def with_links(text, names):
    def call(match):
        return match.group() + ("()" if match.group() in names else "")
    text = re.sub(r"(?<![\w/`])glnn_\w+(?![\w(`*]|\.\w)", call, text)
    return re.sub(r"(?<![\w<`])glnn/(\w+)\.h\b", r'@ref header_\1 "glnn/\1.h"', text)


def header(path, source):
    names = functions()

    def comment(match):
        lines = match.group().split("\n")
        is_code = False
        for i, line in enumerate(lines):
            after_gap = i > 0 and lines[i - 1].strip() in {"*", ""}
            is_code = re.match(r"\s*\* {5,}\S", line) is not None and (is_code or after_gap)
            if is_code:  # which Doxygen sees from six columns on
                lines[i] = line.replace("*", "*  ", 1)
            else:
                lines[i] = with_links(line, names)
        return "\n".join(lines)
    source = re.sub(r"/\*\*.*?\*/", comment, source, flags=re.DOTALL)
    source = source.replace("@file", f"@defgroup header_{path.stem} {path.name}", 1)
    # Doxygen would take the mark that opens a group for its title.
    return re.sub(r"@addtogroup \w+(?:\s*\*)?\s*@\{\s*\*/",
                  f"@addtogroup header_{path.stem} */ /** @{{ */", source)


def slug(heading):
    words = re.sub(r"[^\w\- ]", "", re.sub(r"`", "", heading.strip().lower()))
    return words.replace(" ", "-")


def label(path, heading):
    """The name of a heading among all pages."""
    return f"{path.stem}-{slug(heading)}"


def escaped(name):
    """A file's name as Doxygen spells it in the names of pages."""
    return name.replace("_", "__").replace("/", "_2").replace(".", "_8")


def target(path, url):
    """The link of a document as a link of the pages; None for a file that has no page."""
    if re.match(r"\w+:", url):
        return url
    name, _, anchor = url.partition("#")
    file = Path(os.path.normpath(path.parent / name)) if name else path
    if anchor:
        return f"@ref {file.stem}-{anchor}"
    if file.suffix == ".md" and (PAGES in file.parents or str(file) == "CONTRIBUTING.md"):
        return f"@ref page-{file.stem}"
    if file.parts[:2] == ("include", "glnn") and file.suffix == ".h":
        return f"@ref header_{file.stem}"
    if file.parts[:2] == ("include", "glnn"):
        return "modules.html"
    if file == EXAMPLES:
        return "examples.html"
    if EXAMPLES in file.parents and file.suffix in {".c", ".cpp"}:
        return f"{escaped(str(file.relative_to(EXAMPLES)))}-example.html"
    return None


def document(path, source):
    names = functions()
    lines = []
    is_code = False
    for line in source.split("\n"):
        heading = re.match(r"(#+) (.*)", line)
        if line.startswith("```"):
            is_code = not is_code
        elif is_code or line.startswith("    "):
            pass
        elif heading and len(heading.group(1)) == 1:
            line += f" {{#page-{path.stem}}}"
        elif heading:
            line += f" {{#{label(path, heading.group(2))}}}"
        else:
            def link(match):
                url = target(path, match.group(2))
                text = match.group(1)
                if path.name == "performance.md" and match.group(2).startswith("tables/"):
                    return f'{url.replace("@ref", "@subpage")} "{text}"'
                return f"[{text}]({url})" if url else text
            line = re.sub(r"(?<!!)\[([^\]]*)\]\(([^)]*)\)", link, line)
            line = re.sub(r"`(glnn_\w+)(?:\(\))?`", lambda match: f"<code>{match.group(1)}()</code>"
                          if match.group(1) in names else match.group(), line)
            line = re.sub(r"(!\[[^\]]*\]\()(?:[^():]*/)?", r"\1", line)  # all images in one folder
        lines.append(line)
    return "\n".join(lines)


def main():
    path = Path(os.path.relpath(sys.argv[1]))
    source = path.read_text(encoding="utf-8")
    print(header(path, source) if path.suffix == ".h" else document(path, source), end="")


main()
