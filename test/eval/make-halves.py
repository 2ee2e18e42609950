"""Halves a test collection by title: python3 test/eval/make-halves.py COLLECTION FOLDER

Writes FOLDER/half-0 and FOLDER/half-1: every other title with its documents and the questions that they answer. What
one half is asked, nothing in the other answers: npm run eval -- --set FOLDER/half-0 --off FOLDER/half-1
"""

import json
import os
import sys


def main(collection, folder):
    documents, queries = (read(f"{collection}/{name}.jsonl") for name in ("docs", "queries"))
    judgements = [line.split() for line in open(f"{collection}/qrels.tsv")]
    titles = list(dict.fromkeys(document["title"] for document in documents))
    for half in (0, 1):
        kept = [document for document in documents if titles.index(document["title"]) % 2 == half]
        ids = {document["id"] for document in kept}
        judged = [row for row in judgements if row[1] in ids]
        answered = {query for query, *_ in judged}
        target = f"{folder}/half-{half}"
        os.makedirs(target, exist_ok=True)
        write(f"{target}/docs.jsonl", map(json.dumps, kept))
        write(f"{target}/queries.jsonl", (json.dumps(query) for query in queries if query["id"] in answered))
        write(f"{target}/qrels.tsv", map("\t".join, judged))


def read(file):
    return [json.loads(line) for line in open(file)]


def write(file, lines):
    with open(file, "w") as output:
        output.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
