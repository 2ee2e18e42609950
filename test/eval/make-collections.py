"""Makes test collections of texts that Debian and Python carry: python3 test/eval/make-collections.py FOLDER

Each is a folder of docs.jsonl, queries.jsonl and qrels.tsv. What a question was made of is taken out of the document
that answers it. The same packages give the same collections.

  faq     questions and answers of the FAQs of Perl and Python; the question is asked, the answer is the document
  manual  pages of Python's library reference and guides, 19 KB each; sentences that open a paragraph are asked
  terms   entries of the Free On-line Dictionary of Computing; their first sentences are asked
  code    functions of Python's standard library; the first lines of their docstrings are asked
  book-en, book-ja, book-zh  sections of the Debian Administrator's Handbook in English, Japanese and Chinese;
          sentences that open a paragraph are asked
  topics  pages of PostgreSQL's manual without their headings, which are asked
  packages  descriptions of Debian's packages, of each kind one; their summaries are asked
"""

import ast
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys
import sysconfig
import tempfile
from html.parser import HTMLParser

PACKAGES = ["perl-doc", "python3.11-doc", "dict-foldoc", "debian-handbook", "postgresql-doc-15"]
BOOKS = {"book-en": "en-US", "book-ja": "ja-JP", "book-zh": "zh-CN"}
MOST_QUESTIONS = 1000


def main(folder):
    with tempfile.TemporaryDirectory() as unpacked:
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=unpacked, check=True, capture_output=True)
        for package in glob.glob(f"{unpacked}/*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, unpacked], check=True)
        share = f"{unpacked}/usr/share"
        manual = f"{share}/doc/python3.11/html"
        for name, documents, questions in [
            ("faq", *faq(f"{share}/perl", manual)),
            ("manual", *manual_pages(manual)),
            ("terms", *terms(f"{share}/dictd")),
            ("code", *functions(sysconfig.get_paths()["stdlib"])),
            *[(name, *book(f"{share}/doc/debian-handbook/html/{language}")) for name, language in BOOKS.items()],
            ("topics", *topics(f"{share}/doc/postgresql-doc-15/html")),
            ("packages", *packages(unpacked)),
        ]:
            write(os.path.join(folder, name), documents, questions)
            print(f"{name}: {len(documents)} documents, {min(len(questions), MOST_QUESTIONS)} questions")


def write(folder, documents, questions):
    """Documents are (id, title, text), questions (text, id of the document)."""
    os.makedirs(folder, exist_ok=True)
    random.Random(7).shuffle(questions)
    with open(f"{folder}/docs.jsonl", "w") as file:
        for identity, title, text in documents:
            file.write(json.dumps({"id": identity, "title": title, "text": text}) + "\n")
    with open(f"{folder}/queries.jsonl", "w") as queries, open(f"{folder}/qrels.tsv", "w") as judgements:
        for number, (text, identity) in enumerate(questions[:MOST_QUESTIONS]):
            queries.write(json.dumps({"id": f"q{number}", "text": " ".join(text.split())}) + "\n")
            judgements.write(f"q{number}\t{identity}\t1\n")


def faq(perl, manual):
    entries = []
    for path in sorted(glob.glob(f"{perl}/*/pod/perlfaq?.pod")):
        text = open(path, encoding="utf8").read()
        for match in re.finditer(r"^=head2 (.+?)\n\n(.*?)(?=^=head[12]|\Z)", text, re.S | re.M):
            plain = [re.sub(r"[A-Z]<+ ?(.*?) ?>+", r"\1", re.sub(r"X<.*?>", "", part)) for part in match.groups()]
            entries.append((plain[0].replace("\n", " "), plain[1]))
    for path in sorted(glob.glob(f"{manual}/faq/*.html")):
        pattern = r"^#{3,4} ([^\n]+\?)\s*\n(.*?)(?=^#{1,4} |\Z)"
        entries += [match.groups() for match in re.finditer(pattern, page_text(path), re.S | re.M)]
    entries = [(question, answer.strip()) for question, answer in entries if len(answer) >= 80]
    documents = [(f"faq{number}", "", answer) for number, (_, answer) in enumerate(entries)]
    return documents, [(question, f"faq{number}") for number, (question, _) in enumerate(entries)]


def manual_pages(manual):
    documents, questions = [], []
    choice = random.Random(7)
    paths = [path for part in ["library", "reference", "howto"] for path in sorted(glob.glob(f"{manual}/{part}/*.html"))]
    for path in paths:
        text = page_text(path)
        heading = re.match(r"# (.*)", text)
        if len(text) < 1500 or not heading:
            continue
        identity, text = os.path.relpath(path, manual), text[heading.end() :]
        paragraphs = [part for part in text.split("\n\n") if re.match(r"[A-Z][^\n]{50,}", part)]
        for paragraph in choice.sample(paragraphs, min(4, len(paragraphs))):
            line = paragraph.replace("\n", " ")
            first = re.match(r".{40,200}?\.(?= [A-Z])", line)
            if first:
                text = text.replace(paragraph, line[first.end() :].strip(), 1)
                questions.append((first[0], identity))
        documents.append((identity, heading[1], text))
    return documents, questions


def terms(dictionary):
    documents, questions = [], []
    entries = gzip.open(f"{dictionary}/foldoc.dict.dz").read()
    places = {}
    for line in open(f"{dictionary}/foldoc.index"):
        word, start, length = line.rstrip("\n").split("\t")
        if not word.startswith("00") and number(length) >= 350:
            places.setdefault(number(start), number(length))
    choice = random.Random(7)
    for start, length in places.items():
        head, *lines = entries[start : start + length].decode("utf8", "replace").split("\n")
        body = "\n".join(line.strip() for line in lines).replace("{", "").replace("}", "").strip()
        body = re.sub(r"^(<[^>]*>|\([^)]*\)|\s)+", "", re.sub(r"(?<!\n)\n(?!\n)", " ", body))
        first = re.match(r"(.{40,220}?\.)\s+(?=[A-Z])(.{150,})", body, re.S)
        if first and choice.random() < 0.25:
            questions.append((first[1], f"term{start}"))
            body = first[2]
        documents.append((f"term{start}", head.strip(), body))
    return documents, questions


def functions(library):
    found = []
    for path in sorted(glob.glob(f"{library}/*.py") + glob.glob(f"{library}/[a-z]*/*.py")):
        if re.search(r"test|idlelib|site-packages|dist-packages", path):
            continue
        source = open(path, encoding="utf8", errors="replace").read()
        lines = source.split("\n")
        for node in ast.walk(ast.parse(source)):
            docstring = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node)
            if not docstring:
                continue
            first = re.split(r"\n\s*\n", docstring)[0].replace("\n", " ").strip()
            text = node.body[0]
            code = "\n".join(lines[node.lineno - 1 : text.lineno - 1] + lines[text.end_lineno : node.end_lineno])
            if 25 <= len(first) <= 250 and len(code) >= 120:
                found.append((first, code))
    documents = [(f"function{place}", "", code) for place, (_, code) in enumerate(found)]
    return documents, [(first, f"function{place}") for place, (first, _) in enumerate(found)]


def book(folder):
    documents, questions = [], []
    choice = random.Random(7)
    spaced = folder.endswith("en-US")
    for path in sorted(glob.glob(f"{folder}/sect.*.html")):
        html = open(path, encoding="utf8").read()
        title = re.search(r"<title[^>]*>[\d.\s]*(.*?)</title>", html)[1]
        identity, text = os.path.basename(path), html_text(html)
        # What nobody has translated yet stands there in English.
        paragraphs = [part for part in text.split("\n\n") if spaced or len(re.findall(r"[\u3040-\u9fff]", part)) > 30]
        for paragraph in choice.sample(paragraphs, min(3, len(paragraphs))):
            first = re.match(r".{40,200}?\.(?= [A-Z])" if spaced else r"[^\n]{15,100}?。(?=.)", paragraph)
            if first:
                text = text.replace(paragraph, paragraph[first.end() :].strip(), 1)
                questions.append((first[0], identity))
        documents.append((identity, title, text))
    return documents, questions


def topics(folder):
    documents, questions = [], []
    for path in sorted(glob.glob(f"{folder}/*.html")):
        html = open(path, encoding="utf8").read()
        heading = re.search(r"<title>(?:(?:Chapter|Part|Appendix)\s)?(?:[\dA-Z]+[\d.]*\.\s)?(.*?)</title>", html, re.S)
        body = re.search(r'<div class="titlepage">.*?</h\d>(.*)<div class="navfooter"', html, re.S)
        text = html_text(body[1]) if body else ""
        if len(text) >= 300:
            identity = os.path.basename(path)
            documents.append((identity, identity.removesuffix(".html"), text))
            if len(heading[1].split()) >= 3:
                questions.append((heading[1], identity))
    return documents, questions


def packages(folder):
    """Their descriptions are fetched into a folder of their own: most systems have none in their lists."""
    os.makedirs(f"{folder}/lists/partial")
    settings = ["-o", "Acquire::Languages=en", "-o", f"Dir::State::lists={folder}/lists"]
    subprocess.run(["apt-get", *settings, "update"], check=True, capture_output=True)
    files = sorted(glob.glob(f"{folder}/lists/*_main_i18n_Translation-en*"))
    command = ["/usr/lib/apt/apt-helper", "cat-file", *files]
    descriptions = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    entries = {}
    for match in re.finditer(r"^Package: (\S+)\n.*\nDescription-en: (.+)\n((?: .*\n)+)", descriptions, re.M):
        text = re.sub(r"^ \.?", "", match[3], flags=re.M).strip()
        if len(text) >= 200:
            # Packages of one source often say the same.
            entries.setdefault(text[:150], (match[1], match[2], text))
    chosen = random.Random(7).sample(list(entries.values()), 6000)
    documents = [(name, name, text) for name, _, text in chosen]
    return documents, [(summary, name) for name, summary, _ in chosen if len(summary.split()) >= 4]


class PageText(HTMLParser):
    """The text of a page of documentation, headings marked as in Markdown."""

    def __init__(self):
        super().__init__()
        self.parts, self.hidden, self.in_headerlink = [], 0, False

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "style", "head", "nav"):
            self.hidden += 1
        if ("class", "headerlink") in attributes:
            self.hidden, self.in_headerlink = self.hidden + 1, True
        if tag in ("p", "li", "dt", "dd", "div", "section", "pre", "tr", "h1", "h2", "h3", "h4"):
            self.parts.append("\n\n")
        if tag in ("h1", "h2", "h3", "h4"):
            self.parts.append("#" * int(tag[1]) + " ")

    def handle_endtag(self, tag):
        if tag in ("script", "style", "head", "nav"):
            self.hidden -= 1
        if tag == "a" and self.in_headerlink:
            self.hidden, self.in_headerlink = self.hidden - 1, False

    def handle_data(self, text):
        if not self.hidden:
            self.parts.append(text)


def page_text(path):
    html = open(path, encoding="utf8").read()
    body = re.search(r'<div class="body" role="main">(.*?)<div class="sphinxsidebar"', html, re.S)
    return html_text(body[1] if body else "")


def html_text(html):
    page = PageText()
    page.feed(html)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", "".join(page.parts))).strip()


def number(text):
    """Numbers of dictd's index are written in base 64."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    value = 0
    for digit in text:
        value = value * 64 + digits.index(digit)
    return value


if __name__ == "__main__":
    main(sys.argv[1])
