"""Makes ten memories of documentation: python3 test/eval/make-manuals.py FOLDER

Each is a folder FOLDER/NAME/items of Markdown files; test/eval/memory/manuals.json lists them with their sources.
Five are manuals of many pages, five are sets of READMEs and changelogs of packages.
What comes from npm is of a fixed version; what comes from Debian is what its release carries now.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory", "manuals.json")


def main(folder):
    with open(LIST, encoding="utf8") as file:
        memories = json.load(file)
    with tempfile.TemporaryDirectory() as unpacked:
        debian = [source["debian"] for memory in memories for source in memory["sources"] if "debian" in source]
        # A fresh machine has no lists of packages; where they cannot be fetched, those it has may do.
        subprocess.run(["apt-get", "update"], check=False, capture_output=True)
        subprocess.run(["apt-get", "download", *debian], cwd=unpacked, check=True, capture_output=True)
        for package in debian:
            [archive] = glob.glob(f"{unpacked}/{package}_*.deb")
            subprocess.run(["dpkg-deb", "-x", archive, f"{unpacked}/{package}"], check=True)
        npm = [source["npm"] for memory in memories for source in memory["sources"] if "npm" in source]
        subprocess.run(["npm", "pack", "--silent", *npm], cwd=unpacked, check=True, capture_output=True)
        for memory in memories:
            items = os.path.join(folder, memory["name"], "items")
            shutil.rmtree(items, ignore_errors=True)
            pages = {}
            for source in memory["sources"]:
                if "npm" in source:
                    pages |= npm_pages(unpacked, source)
                else:
                    pages |= debian_pages(f"{unpacked}/{source['debian']}", source)
            for path, text in sorted(pages.items()):
                target = os.path.join(items, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "w", encoding="utf8") as file:
                    file.write(text.strip() + "\n")
            words = sum(len(text.split()) for text in pages.values())
            print(f"{memory['name']}: {len(pages)} files, {words} words")


def npm_pages(unpacked, source):
    """The Markdown files that the list names, as they are; of a set of packages each has a folder of its own."""
    name, version = source["npm"].rsplit("@", 1)
    pages = {}
    with tarfile.open(f"{unpacked}/{name}-{version}.tgz") as archive:
        for member in archive.getmembers():
            path = member.name.split("/", 1)[-1]
            if member.isfile() and re.fullmatch(source["files"], path):
                place = re.sub(source["below"], "", path) if "below" in source else f"{name}/{path}"
                pages[place] = archive.extractfile(member).read().decode("utf8").replace("\r\n", "\n")
    return pages


def debian_pages(unpacked, source):
    """The pages that the list names, converted to Markdown."""
    folder = os.path.join(unpacked, source["folder"])
    pages = {}
    for path in sorted(glob.glob(f"{folder}/**/*", recursive=True)):
        place = os.path.relpath(path, folder)
        if not re.fullmatch(source["files"], place):
            continue
        if place.endswith(".page"):
            page = mallard_page(path)
        else:
            with open(path, encoding="utf8", errors="replace") as file:
                page = html_page(file.read())
        pages[re.sub(r"\.(html|page)$", "", place) + ".md"] = page
    return pages


class Node:
    def __init__(self, tag, attributes=()):
        self.tag, self.attributes, self.children = tag, dict(attributes), []


VOID = {"br", "hr", "img", "meta", "link", "input", "col", "wbr", "base", "area", "source"}
UNSEEN = {"script", "style", "head", "nav", "svg", "form", "button", "input", "select", "title"}
BLOCKS = {"p", "div", "section", "article", "main", "body", "html", "ul", "ol", "dl", "table", "pre", "blockquote"}
BLOCKS |= {"hr", "h1", "h2", "h3", "h4", "h5", "h6", "center", "figure", "figcaption", "caption", "details", "summary"}
BLOCKS |= {"li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "address", "header", "footer", "aside"}
# What a start tag ends that was left open, and what it does not reach beyond.
ENDS = {
    "li": ({"li", "p"}, {"ul", "ol", "table"}),
    "dt": ({"dt", "dd", "p"}, {"dl", "table"}),
    "dd": ({"dt", "dd", "p"}, {"dl", "table"}),
    "tr": ({"tr", "td", "th", "p", "li", "ul", "ol"}, {"table"}),
    "td": ({"td", "th", "p"}, {"tr", "table"}),
    "th": ({"td", "th", "p"}, {"tr", "table"}),
}


class Tree(HTMLParser):
    """A page's elements, with those ended whose end tags HTML lets authors leave out."""

    def __init__(self):
        super().__init__()
        self.open = [Node("document")]

    def handle_starttag(self, tag, attributes):
        if tag in ENDS:
            self.end(*ENDS[tag])
        elif tag in BLOCKS:
            self.end({"p"}, BLOCKS - {"p"})
        node = Node(tag, attributes)
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attributes):
        self.open[-1].children.append(Node(tag, attributes))

    def handle_endtag(self, tag):
        borders = {"document"} if tag == "table" else {"document", "table"}
        if tag not in BLOCKS:
            borders = borders | BLOCKS
        for place in range(len(self.open) - 1, 0, -1):
            if self.open[place].tag == tag:
                del self.open[place:]
                return
            if self.open[place].tag in borders:
                return

    def end(self, tags, borders):
        for place in range(len(self.open) - 1, 0, -1):
            if self.open[place].tag in borders:
                return
            if self.open[place].tag in tags:
                del self.open[place:]
                if tags == {"p"}:
                    return
                return self.end(tags, borders)

    def handle_data(self, text):
        self.open[-1].children.append(text)


def html_page(html):
    tree = Tree()
    tree.feed(html)
    root = tree.open[0]
    title = find(root, lambda node: node.tag == "title")
    body = find(root, lambda node: {"document", "body"} <= classes(node)) or root
    text = "\n\n".join(blocks(body))
    # SQLite's names of diagrams that are not shown, and when a page was made.
    text = re.sub(r"^(\*\*\[[\w-]+:\]\(syntax/.*|\*This page last modified .*)$", "", text, flags=re.M)
    parts = re.split(r"(^ *(?:> *)*```.*?^ *(?:> *)*```)", text, flags=re.M | re.S)
    firsts = sum(len(re.findall(r"^# ", part, re.M)) for part in parts[::2])
    if firsts > 1:
        parts[::2] = [re.sub(r"^(#{1,5} )", r"#\1", part, flags=re.M) for part in parts[::2]]
    if title and firsts != 1:
        parts.insert(0, f"# {re.sub(r' — .* documentation$', '', plain(title))}\n\n")
    text = "".join(parts)
    return re.sub(r"\n{3,}", "\n\n", text)


def find(node, wanted):
    for child in node.children:
        if isinstance(child, Node):
            found = child if wanted(child) else find(child, wanted)
            if found:
                return found
    return None


def classes(node):
    return set((node.attributes.get("class") or "").split())


def unseen(node):
    style = (node.attributes.get("style") or "").replace(" ", "")
    hidden = node.tag in UNSEEN or "display:none" in style
    return hidden or bool(classes(node) & {"headerlink", "nosearch", "toctree-wrapper"})


def plain(node):
    return " ".join(raw(node).split())


def raw(node):
    if isinstance(node, str):
        return node
    if node.tag == "br":
        return "\n"
    return "".join(raw(child) for child in node.children if isinstance(child, str) or not unseen(child))


def inline(parts):
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += re.sub(r"\s+", " ", part)
        elif part.tag == "br":
            text += " "
        elif not unseen(part):
            text += marked(part)
    return re.sub(r" {2,}", " ", text)


def marked(node):
    text = inline(node.children)
    if not text.strip():
        return text
    before, after = " " * text.startswith(" "), " " * text.endswith(" ")
    inner = text.strip()
    if node.tag in {"code", "tt", "kbd", "samp"}:
        inner = plain(node)
        return f"{before}`` {inner} ``{after}" if "`" in inner else f"{before}`{inner}`{after}"
    if node.tag in {"b", "strong"} and "**" not in inner:
        return f"{before}**{inner}**{after}"
    if node.tag in {"i", "em", "var", "cite", "dfn"} and "*" not in inner:
        return f"{before}*{inner}*{after}"
    if node.tag == "sup" and re.fullmatch(r"-?\d+", inner):
        return f"^{inner}{after}"
    target = node.attributes.get("href") if node.tag == "a" else None
    if target and not target.startswith(("#", "javascript:")) and "](" not in inner:
        if not re.match(r"\w+:", target):
            target = re.sub(r"\.html(?=#|$)", ".md", target)
        return f"{before}[{inner}]({target}){after}"
    # Blocks within a line, as of a cell or a term.
    return f" {inner} " if node.tag in BLOCKS else text


def blocks(node):
    """The Markdown blocks of an element's content."""
    made, line = [], []

    def flush():
        text = inline(line).strip()
        if text:
            made.append(text)
        line.clear()

    for child in node.children:
        if isinstance(child, Node) and unseen(child):
            continue
        if isinstance(child, Node) and (child.tag in BLOCKS or has_blocks(child)):
            flush()
            made += block(child)
        else:
            line.append(child)
    flush()
    return made


def has_blocks(node):
    return find(node, lambda child: child.tag in BLOCKS and not unseen(child)) is not None


def block(node):
    if re.fullmatch(r"h[1-6]", node.tag):
        text = re.sub(r"\*\*", "", inline(node.children)).strip()
        return [f"{'#' * int(node.tag[1])} {text}"] if text else []
    if "admonition-title" in classes(node):
        return [f"**{plain(node)}**"]
    if node.tag == "pre":
        return code(raw(node))
    if node.tag in {"ul", "ol"}:
        return listed(node)
    if node.tag == "dl":
        return terms(node)
    if node.tag == "table":
        return table(node)
    if node.tag == "blockquote":
        inside = blocks(node)
        if all(part.startswith("```") for part in inside):
            return inside
        return ["\n".join(f"> {line}".rstrip() for line in "\n\n".join(inside).split("\n"))]
    if node.tag == "caption":
        return [f"**{plain(node)}**"] if plain(node) else []
    return [] if node.tag == "hr" else blocks(node)


def code(text):
    text = text.expandtabs().strip("\n").rstrip()
    lines = text.split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    fence = "````" if "```" in text else "```"
    return [f"{fence}\n" + "\n".join(line[margin:].rstrip() for line in lines) + f"\n{fence}"] if text.strip() else []


def listed(node):
    entries, captions = [], []
    for child in node.children:
        if not isinstance(child, Node) or unseen(child):
            continue
        if child.tag == "caption":
            captions += block(child)
            continue
        content = blocks(child) if child.tag == "li" else block(child)
        mark = f"{len(entries) + 1}. " if node.tag == "ol" else "- "
        if content:
            text = "\n\n".join(content).replace("\n", "\n" + " " * len(mark))
            entries.append(mark + re.sub(r"\n +(?=\n)", "\n", text))
    loose = any("\n\n" in entry for entry in entries)
    return captions + [("\n\n" if loose else "\n").join(entries)] if entries else captions


def terms(node):
    """Terms in bold, what they mean as paragraphs below."""
    made = []
    for child in node.children:
        if isinstance(child, Node) and child.tag == "dt":
            text = inline(child.children).strip()
            if text:
                made.append(text if "*" in text or "`" in text else f"**{text}**")
        elif isinstance(child, Node) and not unseen(child):
            made += blocks(child)
    return made


def table(node):
    rows, captions, heads = [], [], []

    def collect(part):
        for child in part.children:
            if isinstance(child, Node) and child.tag == "caption":
                captions.extend(block(child))
            elif isinstance(child, Node) and child.tag == "tr":
                cells = [cell for cell in child.children if isinstance(cell, Node) and cell.tag in {"td", "th"}]
                if cells:
                    rows.append(cells)
                    heads.append(part.tag == "thead" or all(cell.tag == "th" for cell in cells))
            elif isinstance(child, Node):
                collect(child)

    collect(node)
    width = max((len(row) for row in rows), default=0)
    whole = {"pre", "table", "ul", "ol", "dl", "h1", "h2", "h3", "blockquote"}
    if width < 2 or any(find(cell, lambda child: child.tag in whole) for row in rows for cell in row):
        return captions + [part for row in rows for cell in row for part in blocks(cell)]
    lines = []
    for row in rows:
        cells = [re.sub(r"\s+", " ", inline(cell.children)).strip().replace("|", "\\|") for cell in row]
        if any(cells):
            lines.append("| " + " | ".join(cells + [""] * (width - len(cells))) + " |")
    if lines and not heads[0]:
        lines.insert(0, "|" + "  |" * width)
    lines.insert(1, "|" + " --- |" * width)
    return captions + ["\n".join(lines)] if len(lines) > 1 else captions


def mallard_page(path):
    tree = xml.parse(path).getroot()
    body = Node("body")
    body.children = mallard(tree, os.path.dirname(path), 1, False)
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(blocks(body)))


MALLARD = {"steps": "ol", "list": "ul", "item": "li", "terms": "dl", "note": "blockquote", "quote": "blockquote"}
MALLARD |= {"gui": "b", "guiseq": "b", "app": "b", "em": "em", "cmd": "code", "file": "code", "input": "code"}
MALLARD |= {"output": "code", "sys": "code", "var": "em", "screen": "pre", "table": "table", "tr": "tr", "td": "td"}
MALLARD |= {"th": "th", "thead": "thead", "tbody": "tbody", "p": "p", "section": "section"}


def mallard(element, folder, depth, in_block):
    """The content of an element of GNOME's help as nodes of HTML; of variants only what suits a usual desktop."""
    made = [element.text or ""]
    for child in element:
        tag = re.sub(r"\{.*\}", "", child.tag) if isinstance(child.tag, str) else ""
        test = next((value for key, value in child.attrib.items() if key.endswith("}test")), child.get("test", ""))
        if test.startswith("platform:") or tag in {"", "include", "media", "else", "comment"}:
            pass
        elif tag == "info":
            # What a page is about is told in its head.
            described = next((part for part in child if part.tag.endswith("}desc")), None)
            if described is not None and depth == 1:
                made.append(node_of("desc", mallard(described, folder, depth, True)))
        elif tag == "title":
            name = "caption" if in_block else f"h{min(depth, 6)}"
            title = Node("dt" if re.search("terms", element.get("kind", "")) else name)
            title.children = mallard(child, folder, depth, True)
            # A page's title stands before what it is about.
            made.insert(1, title) if depth == 1 and not in_block else made.append(title)
        elif tag == "keyseq":
            keys = [" ".join("".join(key.itertext()).split()) for key in child]
            made.append("+".join(keys) or " ".join("".join(child.itertext()).split()))
        elif tag == "guiseq":
            parts = [" ".join("".join(part.itertext()).split()) for part in child]
            made.append(node_of("b", [" ▸ ".join(parts)]))
        elif tag == "link":
            page, _, _ = (child.get("xref") or "").partition("#")
            text = mallard(child, folder, depth, True)
            if not "".join(raw(part) for part in text).strip():
                text = [title_of(os.path.join(folder, page + ".page"))]
            target = child.get("href") or (f"{page}.md" if page else "")
            link = node_of("a", text)
            link.attributes = {"href": target} if target else {}
            made.append(link)
        elif tag == "section":
            made.append(node_of("section", mallard(child, folder, depth + 1, False)))
        elif tag == "terms":
            pairs = Node("dl")
            for entry in child:
                if isinstance(entry.tag, str) and entry.tag.endswith("}item"):
                    heads = [part for part in entry if isinstance(part.tag, str) and part.tag.endswith("}title")]
                    pairs.children += [node_of("dt", mallard(head, folder, depth, True)) for head in heads]
                    for head in heads:
                        entry.remove(head)
                    pairs.children.append(node_of("dd", mallard(entry, folder, depth, True)))
            made.append(pairs)
        elif tag == "code":
            text = mallard(child, folder, depth, True)
            made.append(node_of("pre" if re.search(r"\}(page|section|item|note)$", element.tag) else "code", text))
        else:
            inside = in_block or tag in {"steps", "list", "table", "note", "item"}
            name = MALLARD.get(tag, "span")
            made.append(node_of(name, mallard(child, folder, depth, inside)))
        made.append(child.tail or "")
    return made


def node_of(tag, children):
    node = Node("p" if tag == "desc" else tag)
    node.children = children
    return node


def title_of(path):
    if not os.path.exists(path):
        return ""
    parts = [part for part in xml.parse(path).getroot() if isinstance(part.tag, str)]
    title = next(part for part in parts if part.tag.endswith("}title"))
    return " ".join("".join(title.itertext()).split())


if __name__ == "__main__":
    main(sys.argv[1])
