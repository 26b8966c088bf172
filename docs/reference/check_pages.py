#!/usr/bin/env python3
"""docs/reference/check_pages.py FOLDER - checks the HTML pages for errors that Doxygen accepts.

It prints the links that lead nowhere, but for those to other hosts, and the enumerators and fields
of the public headers without a comment. Doxygen leaves such an enumerator out."""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links = []
        self.anchors = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in {"href", "src", "data"} and value:
                self.links.append(value)
            elif name in {"id", "name"} and value:
                self.anchors.add(value)


FIELD = re.compile(r'<td class="fieldname">\s*([^<]*)(?:<[^>]*>[^<]*)?</td>\s*'
                   r'<td class="fielddoc">\s*</td>')
ENUMERATOR = re.compile(r"^    (GLNN_\w+)(?:,| =| /\*|$)", re.MULTILINE)


def undocumented(folder):
    """The header and the name of each enumerator and field without a comment."""
    texts = {path: path.read_text(encoding="utf-8")
             for path in sorted(folder.glob("group__header__*.html"))}
    pages = "".join(texts.values())
    for path in sorted(Path("include/glnn").glob("*.h")):
        for name in ENUMERATOR.findall(path.read_text(encoding="utf-8")):
            if not name.endswith("_COUNT") and f"</a>{name}&#160;" not in pages:
                yield path, name
    for path, text in texts.items():
        for name in FIELD.findall(text):
            yield path.name, name


def broken_links(folder):
    """The page and the address of each link that leads nowhere."""
    pages = {path.name: Page(path) for path in sorted(folder.glob("*.html"))}
    for name, page in pages.items():
        for link in dict.fromkeys(page.links):
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = unquote(url.path) or name
            is_there = (folder / target).exists()
            if is_there and url.fragment and target in pages:
                is_there = unquote(url.fragment) in pages[target].anchors
            if not is_there:
                yield name, link


def main():
    folder = Path(sys.argv[1])
    complaints = [f"{path}: {name} has no comment" for path, name in undocumented(folder)]
    complaints += [f"{name}: the link {link} leads nowhere" for name, link in broken_links(folder)]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


sys.exit(main())
