import { createHash } from 'node:crypto';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';

const itemsPerPush = 200;
/** Words of a passage, some 850 characters, as sections of notes have. */
const wordsPerPassage = 120;
const wordsPerQuestion = 6;
const vocabulary = 50_000;
/** The most frequent words of a language are stop words, which are not searched for. */
const firstTellingRank = 128;

/** Pushes notes of made-up words, of one passage each: the same for the same number. */
export async function pushMadeUpNotes(client: TeamMemoryClient, passages: number): Promise<void> {
  const random = seededRandom(passages);
  for (let start = 0; start < passages; start += itemsPerPush) {
    const length = Math.min(itemsPerPush, passages - start);
    await client.pushItems(Array.from({ length }, (_, index) => item(start + index, random)));
  }
}

/** A question of words that such notes have. */
export function madeUpQuestion(random: SeededRandom): string {
  return text(wordsPerQuestion, random, firstTellingRank);
}

/** Milliseconds from a question to the first words of its answer. */
export async function firstDeltaMs(client: TeamMemoryClient, question: string): Promise<number> {
  const asked = performance.now();
  let delay: number | undefined;
  for await (const event of client.ask(question)) {
    if (event.type === 'delta') delay ??= performance.now() - asked;
  }
  return delay ?? Number.NaN;
}

function item(number: number, random: SeededRandom) {
  const content = text(wordsPerPassage, random);
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { row_key: `notes/${number}.md`, content, frontmatter: {}, tier: 'team', checksum };
}

/** Words whose frequency falls with their rank as in natural text (Zipf, 1949), from the given rank on. */
function text(words: number, random: SeededRandom, firstRank = 1): string {
  const ranks = Array.from({ length: words }, () => {
    const fraction = random.integerBelow(2 ** 32) / 2 ** 32;
    return Math.floor(firstRank * (vocabulary / firstRank) ** fraction);
  });
  return `${ranks.map(wordOf).join(' ')}.`;
}

/** Each rank as some seven letters that say nothing about it. */
function wordOf(rank: number): string {
  const scattered = (Math.imul(rank, 0x9e3779b1) >>> 0).toString(36);
  return scattered.replace(/\d/g, (digit) => 'aeioulnrst'.charAt(Number(digit)));
}
