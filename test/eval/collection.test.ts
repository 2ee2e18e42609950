import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readCollection } from './collection.ts';

async function folderWith(files: Record<string, string>): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

test('documents, questions and what is relevant come together, whatever is left out', async () => {
  const folder = await folderWith({
    'docs.jsonl': '{"id":"a b/ü","title":"T","text":"x"}\r\n\n{"id":7,"title":null,"text":""}\n',
    'queries.jsonl': '{"id":"1","text":"who?","answers":["me"]}\n{"id":"2","text":"what?"}',
    'qrels.tsv': '1\ta b/ü\t2\r\n1\t7\t1\n2\t7\t0\n',
  });
  expect(await readCollection(folder)).toEqual({
    documents: [
      { id: 'a b/ü', title: 'T', text: 'x' },
      { id: '7', title: '', text: '' },
    ],
    queries: [
      {
        id: '1',
        text: 'who?',
        answers: ['me'],
        relevant: new Map([
          ['a b/ü', 2],
          ['7', 1],
        ]),
      },
      { id: '2', text: 'what?', answers: [], relevant: new Map() },
    ],
  });
});

test.for([
  ['docs.jsonl', '{"id":"a"}', /docs\.jsonl, line 1: no text/],
  ['docs.jsonl', 'null', /docs\.jsonl, line 1: not an object/],
  ['queries.jsonl', '\n{', /queries\.jsonl, line 2: /],
  ['qrels.tsv', '1 a 1', /qrels\.tsv, line 1: not "query, document, relevance"/],
] as const)('a bad line of %s is named', async ([file, text, message]) => {
  const good = { 'docs.jsonl': '', 'queries.jsonl': '', 'qrels.tsv': '' };
  await expect(readCollection(await folderWith({ ...good, [file]: text }))).rejects.toThrow(message);
});
