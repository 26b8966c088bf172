#!/usr/bin/env python3
"""docs/reference/check_links.py FOLDER - prints the links of HTML pages that lead nowhere.

Links to other hosts are not followed."""
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


def main():
    folder = Path(sys.argv[1])
    pages = {path.name: Page(path) for path in sorted(folder.glob("*.html"))}
    broken = 0
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
                print(f"{name}: the link {link} leads nowhere")
                broken += 1
    return 1 if broken else 0


sys.exit(main())
