import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  peakMegabytes,
  printFigures,
  startBystander,
} from '../support/attacks/bystander.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

/** Small, so that few pushes exceed it. */
const indexDiskMb = 64;
/** A push has 8 MiB at most, an item 1 MiB. */
const itemBytes = 1_000_000;
const itemsPerPush = 7;
/** What the service gives an answer. */
const answerTimeoutMs = 120_000;

let service: StartedService;
beforeEach(async () => {
  service = await startService({
    environment: {
      ITEM_WRITES_PER_MINUTE: '1000000',
      QUESTIONS_PER_MINUTE: '1000000',
      INDEX_DISK_MB: String(indexDiskMb),
    },
  });
});
afterEach(() => service.remove());

const random = seededRandom(31);

/** Letters that a 32-bit number yields evenly enough; a draw for each would be most of what this file computes. */
const lettersPerDraw = 6;

/** Returns a source of random letters. */
function lettersOf(alphabet: readonly string[]): () => string {
  let [drawn, left] = [0, 0];
  return () => {
    if (left === 0) [drawn, left] = [random.integerBelow(2 ** 32), lettersPerDraw];
    const letter = alphabet[drawn % alphabet.length] ?? '';
    drawn = Math.floor(drawn / alphabet.length);
    left -= 1;
    return letter;
  };
}

/** As many words as fit, of so many characters of this alphabet, that nobody else has. */
function uniqueWords(alphabet: string, length: number, bytes = itemBytes): string {
  const letters = [...alphabet];
  const letter = lettersOf(letters);
  const bytesPerWord = 1 + length * Buffer.byteLength(letters[0] ?? '');
  const words: string[] = [];
  for (let count = Math.floor(bytes / bytesPerWord); count > 0; count -= 1) {
    let word = '';
    for (let place = 0; place < length; place += 1) word += letter();
    words.push(word);
  }
  return words.join(' ');
}

const latin = 'abcdefghijklmnopqrstuvwxyz';
const perPush =
  (content: () => string, external = true) =>
  (push: number) =>
    Array.from({ length: itemsPerPush }, (_, place) =>
      item(`poison/${push}-${place}.md`, content(), external ? { tier: 'external' } : {}),
    );

const attacks: [string, number, (push: number) => unknown[]][] = [
  ['1 MiB of words of 6 letters', 3, perPush(() => uniqueWords(latin, 6))],
  ['1 MiB of words of 64 letters', 3, perPush(() => uniqueWords(latin, 64))],
  ['1 MiB of words of 5 Cyrillic letters', 3, perPush(() => uniqueWords('абвгдежзиклмнопрстуфхцчш', 5))],
  ['1 MiB of identifiers of many parts', 3, perPush(() => uniqueWords(latin, 3).replaceAll(' ', '_'))],
  ['1 MiB without a blank', 2, perPush(() => uniqueWords(latin, 1_000))],
  [
    'items of one short passage',
    10,
    (push) =>
      Array.from({ length: 200 }, (_, place) =>
        item(`poison/${push}/${place}.md`, uniqueWords(latin, 7, 300), { tier: 'external' }),
      ),
  ],
];

test.for(attacks)(
  'external key pushes items of %s and asks: memory and files stay bounded, others are served, and the answer says what is missing',
  { timeout: 300_000 },
  async ([name, pushes, itemsOf]) => {
    const attacker = await newTeam(service);
    const other = await newTeam(service);
    await other.team.push(item('notes/ferry.md', 'The ferry leaves at nine.'));
    await other.team.ask('When does the ferry leave?');
    const bystander = await startBystander(service, other);
    const before = peakMegabytes(service.process.pid);
    let [last, indexes] = ['', 0];
    for (let push = 0; push < pushes; push += 1) {
      const { status } = await attacker.external.push(...itemsOf(push));
      expect(status).toBe(200);
      last = await answered(attacker);
      indexes = Math.max(indexes, megabytesIn(join(service.dataDirectory, 'indexes')));
    }
    const [peak, seen] = [peakMegabytes(service.process.pid), await bystander.stop()];
    const missing = await readMetric(service.metricsUrl, 'teammemory_search_index_missing_passages');
    const figures = `indexes ${indexes.toFixed(0)} MB of ${indexDiskMb}, process ${before.toFixed(0)} to ${peak.toFixed(0)} MB`;
    printFigures(name, seen, `${figures}, ${missing} passages not indexed; ${last.slice(-140)}`);
    expect(indexes).toBeLessThanOrEqual(indexDiskMb);
    expect(peak - before).toBeLessThanOrEqual(extraMemoryBoundMegabytes);
    expect(seen.worstMs).toBeLessThan(bystanderBoundMs);
    expect(seen.failures).toEqual([]);
    expect((await other.team.ask('When does the ferry leave?')).sources).toHaveLength(1);
  },
);

/** What the files in a directory take. */
function megabytesIn(directory: string): number {
  const sizes = readdirSync(directory).map(
    (name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
}

/** The text of an answer, which has to come, be it after the index was brought up to date. */
async function answered({ slug, externalKey }: TeamClients): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${externalKey}`,
      'x-svc-team': slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ q: 'Which word is the first of all?' }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`the question was answered ${response.status}: ${body}`);
  return body;
}
