"""Makes test collections of texts that Debian and Python carry: python3 test/eval/make-collections.py FOLDER [SQUAD]

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

Questions of these are whole paragraphs, with several relevant documents each:

  kin      descriptions of Debian's packages; other descriptions are asked, and relevant is what Debian's people have
           tagged as being of the same kind
  changes  entries of Python's library reference, each a definition; paragraphs of "What's New" are asked, and
           relevant is what these link to
  paragraphs  pages of PostgreSQL's manual; paragraphs taken out of them are asked, and relevant is the page and what
           the paragraph links to

Questions that nothing answers, though much is near them, have no line in qrels.tsv. These are for measuring refusals;
test/eval/refusals has the questions, written by hand. Of each the questions in odd places are for looking at, those in
even places are kept aside:

  near-python   over the pages of Python's manual
  near-service  over docs/ of this repository
  near-modules  over the READMEs of npm packages in node_modules
  near-notes    over sixteen notes of an invented company, two of them in German
  near-squad-absent, near-squad-elsewhere  with SQUAD, a folder like squad-a: half of its articles, their questions, and
           the same with a name in place of another: one that these articles do not have, or one of another article
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


def main(folder, squad=None):
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
            ("kin", *kin(unpacked)),
            ("changes", *changes(manual)),
            ("paragraphs", *paragraphs(f"{share}/doc/postgresql-doc-15/html")),
            *refusals(manual),
            *(swapped_names(squad) if squad else []),
        ]:
            write(os.path.join(folder, name), documents, questions)
            print(f"{name}: {len(documents)} documents, {min(len(questions), MOST_QUESTIONS)} questions")


def write(folder, documents, questions):
    """Documents are (id, title, text), questions (text, id of the document, or a list of ids, which may be empty)."""
    os.makedirs(folder, exist_ok=True)
    random.Random(7).shuffle(questions)
    with open(f"{folder}/docs.jsonl", "w") as file:
        for identity, title, text in documents:
            file.write(json.dumps({"id": identity, "title": title, "text": text}) + "\n")
    with open(f"{folder}/queries.jsonl", "w") as queries, open(f"{folder}/qrels.tsv", "w") as judgements:
        for number, (text, identities) in enumerate(questions[:MOST_QUESTIONS]):
            queries.write(json.dumps({"id": f"q{number}", "text": " ".join(text.split())}) + "\n")
            for identity in [identities] if isinstance(identities, str) else identities:
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
    chosen = random.Random(7).sample(descriptions(folder), 6000)
    documents = [(name, name, text) for name, _, text in chosen]
    return documents, [(summary, name) for name, summary, _ in chosen if len(summary.split()) >= 4]


def descriptions(folder):
    """(name, summary, text) of each package, fetched into a folder of their own: most systems have none in their lists."""
    entries = {}
    pattern = r"^Package: (\S+)\n.*\nDescription-en: (.+)\n((?: .*\n)+)"
    for match in re.finditer(pattern, lists(folder, "*_main_i18n_Translation-en*"), re.M):
        text = re.sub(r"^ \.?", "", match[3], flags=re.M).strip()
        if len(text) >= 200:
            # Packages of one source often say the same.
            entries.setdefault(text[:150], (match[1], match[2], text))
    return list(entries.values())


def lists(folder, pattern):
    if not os.path.exists(f"{folder}/lists"):
        os.makedirs(f"{folder}/lists/partial")
        settings = ["-o", "Acquire::Languages=en", "-o", f"Dir::State::lists={folder}/lists"]
        subprocess.run(["apt-get", *settings, "update"], check=True, capture_output=True)
    files = sorted(glob.glob(f"{folder}/lists/{pattern}"))
    command = ["/usr/lib/apt/apt-helper", "cat-file", *files]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode()


def kin(folder):
    """Packages of the same kind: those that share two thirds of the tags that say what they are for, three at least."""
    told = ("biology", "field", "game", "hardware", "mail", "network", "office", "protocol", "science", "security",
            "sound", "use", "web", "works-with")
    tags, sources = {}, {}
    for entry in lists(folder, "deb.debian.org_debian_dists_bookworm_main_binary-*_Packages*").split("\n\n"):
        fields = dict(re.findall(r"^(Package|Source|Tag): ((?:.+\n?)(?: .*\n?)*)", entry, re.M))
        found = re.findall(r"([a-z-]+)::([\w:+-]+)", fields.get("Tag", ""))
        mine = {f"{facet}::{value}" for facet, value in found if facet in told and value != "TODO"}
        if len(mine) >= 3:
            name = fields["Package"].strip()
            tags[name] = mine
            sources[name] = fields.get("Source", name).split()[0]
    entries = [entry for entry in descriptions(folder) if entry[0] in tags]
    random.Random(7).shuffle(entries)
    asked, kept = entries[: len(entries) // 3], entries[len(entries) // 3 :]
    kept = [entry for entry in kept if len(entry[2]) >= 500]
    questions = []
    for name, _, text in asked:
        near = [other for other, _, _ in kept if sources[other] != sources[name] and same_kind(tags[name], tags[other])]
        if len(text.split()) >= 50 and 2 <= len(near) <= 60:
            questions.append((text[:1500], near))
    return [(name, summary, text) for name, summary, text in kept], questions


def same_kind(left, right):
    return len(left & right) >= 3 and len(left & right) >= 2 / 3 * len(left | right)


def changes(manual):
    documents, entries = [], set()
    for path in sorted(glob.glob(f"{manual}/library/*.html")):
        html, page = open(path, encoding="utf8").read(), os.path.basename(path)
        for part in re.split(r'(?=<dt class="sig)', html)[1:]:
            identity = re.search(r'id="([\w.]+)"', part.split("</dt>")[0])
            body = html_text(re.split(r"</dd></dl>|<section", part.split("</dt>", 1)[1])[0])
            if identity and len(body) >= 80:
                documents.append((f"{page}#{identity[1]}", identity[1], body))
                entries.add(f"{page}#{identity[1]}")
    questions = []
    for path in sorted(glob.glob(f"{manual}/whatsnew/*.html")):
        for paragraph in re.findall(r"<p>(.*?)</p>", open(path, encoding="utf8").read(), re.S):
            linked = [link for link in dict.fromkeys(re.findall(r'href="\.\./library/([^"]+)"', paragraph)) if link in entries]
            text = re.sub(r"\((?:Contributed|Suggested|Patch).*", "", html_text(paragraph), flags=re.S)
            if linked and len(text.split()) >= 40:
                questions.append((text, linked))
    return documents, questions


def paragraphs(folder):
    documents, questions = [], []
    choice = random.Random(7)
    for path in sorted(glob.glob(f"{folder}/*.html")):
        html = open(path, encoding="utf8").read()
        body = re.search(r'<div class="titlepage">(.*)<div class="navfooter"', html, re.S)
        if not body or "release-" in path:
            continue
        identity, text, title = os.path.basename(path), body[1], re.search(r"<title>(.*?)</title>", html, re.S)[1]
        long = [part for part in re.findall(r"<p>.*?</p>", text, re.S) if len(html_text(part).split()) >= 60]
        for part in choice.sample(long, min(1, len(long))):
            text = text.replace(part, "")
            linked = re.findall(r'href="([\w-]+\.html)', part)
            questions.append((html_text(part), list(dict.fromkeys([identity, *linked]))))
        documents.append((identity, re.sub(r"^[\dA-Z]+[\d.]*\.\s", "", title), html_text(text)))
    known = {identity for identity, _, _ in documents}
    return documents, [(text, [each for each in linked if each in known]) for text, linked in questions]


def refusals(manual):
    """Collections of questions by hand; the document that answers is the third column of a line, `-` where none does."""
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    modules = sorted(glob.glob(f"{root}/node_modules/*/[Rr][Ee][Aa][Dd][Mm][Ee].md"))
    texts = {
        "python": [(identity, title, text) for identity, title, text in manual_texts(manual)],
        "service": files(sorted(glob.glob(f"{root}/docs/*.md")), lambda path: os.path.relpath(path, root)),
        "modules": [
            document
            for document in files(modules, lambda path: os.path.basename(os.path.dirname(path)))
            if 2_000 < len(document[2]) < 60_000
        ],
        "notes": files(sorted(glob.glob(f"{here}/refusals/notes/*.md")), os.path.basename),
    }
    for name, documents in texts.items():
        known = {identity for identity, _, _ in documents}
        rows = [line.rstrip("\n").split("\t") for line in open(f"{here}/refusals/{name}.tsv", encoding="utf8")]
        lost = [document for kind, document, _ in rows if kind == "answered" and document not in known]
        if lost:
            print(f"near-{name}: no document {', '.join(lost)}")
        # Every other one of each kind.
        for half in (0, 1):
            chosen = [
                (text, [document] if kind == "answered" else [])
                for wanted in ("answered", "near", "far")
                for kind, document, text in [row for row in rows if row[0] == wanted][half::2]
                if wanted != "far"
            ]
            yield f"near-{name}-{half}", documents, chosen
            far = [(text, []) for kind, _, text in [row for row in rows if row[0] == "far"][half::2]]
            yield f"far-{name}-{half}", documents, far


def files(paths, identity):
    return [(identity(path), "", open(path, encoding="utf8").read()) for path in paths]


def manual_texts(manual):
    for path in sorted(glob.glob(f"{manual}/library/*.html") + glob.glob(f"{manual}/howto/*.html")):
        text = page_text(path)
        heading = re.match(r"# (.*)", text)
        if heading:
            yield os.path.relpath(path, manual), heading[1], text[heading.end() :]


def swapped_names(squad):
    documents = [json.loads(line) for line in open(f"{squad}/docs.jsonl")]
    queries = [json.loads(line) for line in open(f"{squad}/queries.jsonl")]
    judged = dict(line.split("\t")[:2] for line in open(f"{squad}/qrels.tsv"))
    titles = list(dict.fromkeys(document["title"] for document in documents))
    title_of = {document["id"]: document["title"] for document in documents}
    kept = [document for document in documents if titles.index(document["title"]) % 2 == 0]
    text_of = {title: " ".join(d["text"] for d in kept if d["title"] == title).lower() for title in titles}
    # A name is a run of words with capital letters after the first word of a question.
    name = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?: [A-Z][a-z]+)*")
    mine = [query for query in queries if titles.index(title_of[judged[query["id"]]]) % 2 == 0]
    other = [query for query in queries if titles.index(title_of[judged[query["id"]]]) % 2 == 1]
    everything = " ".join(text_of.values())
    absent = sorted({each for query in other for each in name.findall(query["text"])})
    absent = [each for each in absent if not any(word.lower() in everything for word in each.split())]
    names = sorted({(each, title_of[judged[query["id"]]]) for query in mine for each in name.findall(query["text"])})
    choice = random.Random(7)
    for kind in ("absent", "elsewhere"):
        questions = [(query["text"], judged[query["id"]]) for query in mine]
        for query in mine:
            title = title_of[judged[query["id"]]]
            if kind == "absent":
                fitting = absent
            else:
                fitting = [
                    each
                    for each, of in names
                    if of != title and not any(word.lower() in text_of[title] for word in each.split())
                ]
            if name.search(query["text"]) and fitting:
                questions.append((name.sub(choice.choice(fitting), query["text"], count=1), []))
        yield f"near-squad-{kind}", [(d["id"], d["title"], d["text"]) for d in kept], questions


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
    main(*sys.argv[1:])
