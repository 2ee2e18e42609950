// `node test/eval/make-everyday-words.ts` writes services/query/domain/text/everyday-words.ts anew, from the glosses and
// examples of WordNet 3.0 (Debian's wordnet-base): short general English that nobody's memory is about.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { porterStem } from './porter-stem.ts';

const output = new URL('../../services/query/domain/text/everyday-words.ts', import.meta.url);
/** Twice as many tell hardly more questions apart. */
const mostWords = 3_000;
const lineLength = 118;

await writeFile(output, sourceOf(everydayWords(await glosses())));

/** All definitions and examples. */
async function glosses(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wordnet-'));
  try {
    execFileSync('apt-get', ['download', 'wordnet-base'], { cwd: folder, stdio: 'ignore' });
    const [archive = ''] = await readdir(folder);
    execFileSync('dpkg-deb', ['-x', archive, '.'], { cwd: folder });
    const files = ['noun', 'verb', 'adj', 'adv'].map((part) => `usr/share/wordnet/data.${part}`);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    // Lines of the licence begin with a blank; a gloss follows the bar of its line.
    const lines = texts.join('\n').split('\n');
    return lines.flatMap((line) => (line.startsWith(' ') ? [] : line.split('|').slice(1))).join('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
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

function sourceOf(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineLength)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return `// Made by test/eval/make-everyday-words.ts from the glosses of WordNet 3.0, © Princeton University.

/** The 3,000 most frequent words of general English prose, one of each stem, the most frequent first. */
export const everydayWords = \`
${lines.map((line) => `  ${line}`).join('\n')}
\`;
`;
}
