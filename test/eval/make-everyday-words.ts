// `node test/eval/make-everyday-words.ts` writes two files of services/query/domain/text anew from WordNet 3.0 (Debian's
// wordnet-base): everyday-words.ts from its glosses and examples, short general English that nobody's memory is about;
// and ordinary-words.ts from its counts of how often each word was met in texts whose words were tagged by hand.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { porterStem } from './porter-stem.ts';

const folder = new URL('../../services/query/domain/text/', import.meta.url);
/** Twice as many tell hardly more questions apart. */
const mostWords = 3_000;
/** A word met once may be anybody's. */
const leastOften = 2;
const lineLength = 118;

const wordNet = await mkdtemp(join(tmpdir(), 'wordnet-'));
try {
  execFileSync('apt-get', ['download', 'wordnet-base'], { cwd: wordNet, stdio: 'ignore' });
  const [archive = ''] = await readdir(wordNet);
  execFileSync('dpkg-deb', ['-x', archive, '.'], { cwd: wordNet });
  const everyday = everydayWords(await glosses());
  const ordinary = ordinaryWords(
    await readFile(join(wordNet, 'usr/share/wordnet/cntlist.rev'), 'utf8'),
    everyday,
  );
  await write('everyday-words.ts', {
    name: 'everydayWords',
    origin: 'the glosses of WordNet 3.0',
    comment:
      'The 3,000 most frequent words of general English prose, one of each stem, the most frequent first.',
    words: everyday,
  });
  await write('ordinary-words.ts', {
    name: 'ordinaryWords',
    origin: 'the counts of senses of WordNet 3.0',
    comment:
      'Other words that readers of English prose meet now and then, one of each stem, by the alphabet.',
    words: ordinary,
  });
} finally {
  await rm(wordNet, { recursive: true });
}

/** All definitions and examples. */
async function glosses(): Promise<string> {
  const files = ['noun', 'verb', 'adj', 'adv'].map((part) => `usr/share/wordnet/data.${part}`);
  const texts = await Promise.all(files.map((file) => readFile(join(wordNet, file), 'utf8')));
  // Lines of the licence begin with a blank; a gloss follows the bar of its line.
  const lines = texts.join('\n').split('\n');
  return lines.flatMap((line) => (line.startsWith(' ') ? [] : line.split('|').slice(1))).join('\n');
}

/** Lines of the counts are a sense, its number and its count; names begin with a capital letter nowhere, so they are among them. */
function ordinaryWords(counts: string, everyday: readonly string[]): string[] {
  const known = new Set(everyday.map(porterStem));
  const stems = new Map<string, { count: number; word: string }>();
  for (const [, word = '', count] of counts.matchAll(/^([a-z]{2,})%\S+ \d+ (\d+)$/gm)) {
    const stem = porterStem(word);
    stems.set(stem, {
      word: stems.get(stem)?.word ?? word,
      count: (stems.get(stem)?.count ?? 0) + Number(count),
    });
  }
  const found = [...stems].filter(([stem, { count }]) => count >= leastOften && !known.has(stem));
  return found.map(([, { word }]) => word).sort();
}

/** Of each of the most frequent stems its most frequent word, in the order of the stems. */
function everydayWords(text: string): string[] {
  const stems = new Map<string, { count: number; words: Map<string, number> }>();
  for (const [word] of text.toLowerCase().matchAll(/(?<!['’])[a-z]{2,}(?!['’])/g)) {
    const stem = stems.get(porterStem(word)) ?? { count: 0, words: new Map<string, number>() };
    stem.count += 1;
    stem.words.set(word, (stem.words.get(word) ?? 0) + 1);
    stems.set(porterStem(word), stem);
  }
  const frequent = [...stems.values()].sort((left, right) => right.count - left.count).slice(0, mostWords);
  return frequent.map(({ words }) => [...words].sort((left, right) => right[1] - left[1])[0]?.[0] ?? '');
}

interface WordList {
  name: string;
  origin: string;
  comment: string;
  words: readonly string[];
}

async function write(file: string, { name, origin, comment, words }: WordList): Promise<void> {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineLength)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const source = `// Made by test/eval/make-everyday-words.ts from ${origin}, © Princeton University.

/** ${comment} */
export const ${name} = \`
${lines.map((line) => `  ${line}`).join('\n')}
\`;
`;
  await writeFile(new URL(file, folder), source);
}
