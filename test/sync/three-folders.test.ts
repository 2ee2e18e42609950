import { join } from 'node:path';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { partsAreSeparate } from '../support/deployment/deployment.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { type LossyProxy, lossyProxy } from '../support/proxies/lossy-proxy.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from '../support/sync/tms-folder.ts';

/** Over separate processes a run takes longer, and what differs is only who answers it. */
const rounds = partsAreSeparate ? 8 : 15;
const editsPerRound = 7;
const edits = 3 * rounds * editsPerRound;
/** Of the answers, in all rounds but the last, quiet ones. */
const lossOfAnswers = 0.08;
const killedRuns = 0.4;
/** A run takes about a second: it dies before, during and after its work. */
const longestLifeMs = 1_200;
const mostQuietRounds = 12;
/** About 70 runs of a program, three at a time, a second each; a slow machine takes a few times longer. */
const testTimeoutMs = 300_000;

const service = sharedService();
let directory: TemporaryDirectory;
let proxy: LossyProxy | undefined;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async () => {
  proxy?.close();
  await directory.remove();
});

/** What the users did, so that nothing of it can be missing in the end without one of them having removed it. */
interface Journal {
  lines: Set<string>;
  /** Lines of files that a user removed: they may be gone. */
  removable: Set<string>;
}

/** One edit, rename or removal, as a user does it. Lines are only ever added, each a different one. */
async function edit(folder: TmsFolder, random: SeededRandom, journal: Journal): Promise<void> {
  // Nobody edits what a run that was killed left of a file it was writing (`.tms-….tmp`); the next run removes it.
  const files = Object.entries(await folder.files()).filter(([name]) => !/\.conflict-|(^|\/)\./.test(name));
  const [name, text] = files.length === 0 ? [] : random.pick(files);
  const choice = random.integerBelow(100);
  if (name === undefined || text === undefined || choice < 25) {
    const line = newLine(journal);
    const isNew = `${random.pick(['', 'a/', 'b/c/'])}${random.integerBelow(1_000)}.md`;
    if (!files.some(([known]) => known === isNew)) await folder.write(isNew, `${line}\n`);
    else journal.lines.delete(line);
  } else if (choice < 75) {
    const lines = text.split('\n');
    lines.splice(random.integerBelow(lines.length), 0, newLine(journal));
    await folder.write(name, lines.join('\n'));
  } else if (choice < 88) {
    const target = `${random.pick(['', 'a/', 'd/'])}renamed-${random.integerBelow(1_000)}.md`;
    if (!files.some(([known]) => known === target)) await folder.rename(name, target);
  } else {
    for (const line of text.split('\n')) journal.removable.add(line);
    await folder.remove(name);
  }
}

function newLine({ lines }: Journal): string {
  const line = `line ${lines.size + 1}`;
  lines.add(line);
  return line;
}

interface Conflict {
  row_key: string;
  copy?: string;
}

/** Ends every conflict of a folder as a careful user does: with the lines of both versions. */
async function resolveAll(folder: TmsFolder, conflicts: readonly Conflict[]): Promise<void> {
  for (const { row_key, copy } of conflicts) {
    const files = await folder.files();
    const theirs = copy === undefined ? undefined : files[copy];
    if (theirs !== undefined) {
      const mine = (files[row_key] ?? '').split('\n');
      const others = theirs.split('\n').filter((line) => line !== '' && !mine.includes(line));
      await folder.write(row_key, [...others, ...mine].join('\n'));
    }
    const choice = theirs === undefined ? '--mine' : '--merged';
    const { code, stderr } = await folder.run('resolve', row_key, choice);
    expect(code, stderr).toBe(0);
  }
}

test(`three folders are equal after ${edits} edits, renames and removals with kill -9 and lost answers, and no line is lost`, {
  timeout: testTimeoutMs,
}, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed of three-folders.test.ts: ${seed}`);
  const random = seededRandom(seed);
  let chance = lossOfAnswers;
  const losses = seededRandom(seed + 1);
  proxy = await lossyProxy(service().url, () => losses.chance(chance));
  const clients = await newTeam(service());
  const environment = { TMS_URL: proxy.url, TMS_TEAM: clients.slug, TMS_KEY: clients.teamKey };
  const folders = await Promise.all(
    ['one', 'two', 'three'].map((name) => tmsFolder(join(directory.path, name), environment)),
  );
  const journal: Journal = { lines: new Set(), removable: new Set() };
  chance = 0;
  for (const folder of folders) expect(await folder.run('init')).toMatchObject({ code: 0 });

  chance = lossOfAnswers;
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    for (const folder of folders) {
      for (let count = 0; count < editsPerRound; count++) await edit(folder, random, journal);
    }
    const runs = folders.map((folder) => {
      const args = ['sync', '--allow-removals'];
      const life = random.chance(killedRuns) ? random.integerBelow(longestLifeMs) : undefined;
      return life === undefined ? folder.run(...args) : folder.runAndKill(life, ...args);
    });
    killed += (await Promise.all(runs)).filter(({ code }) => code === null).length;
  }
  const lost = proxy.lost();

  chance = 0;
  for (let round = 0; ; round++) {
    expect(round, `seed ${seed}: still not in step`).toBeLessThan(mostQuietRounds);
    let changed = false;
    for (const folder of folders) {
      const { stdout, stderr } = await folder.run('sync', '--allow-removals', '--json');
      const summary = JSON.parse(stdout);
      expect(summary.error, `seed ${seed}: ${stderr}`).toBeUndefined();
      await resolveAll(folder, summary.conflicts);
      const lists = ['pushed', 'written', 'merged', 'renamed', 'removed_here', 'removed_there', 'conflicts'];
      changed ||= lists.some((name) => summary[name].length > 0);
    }
    if (!changed) break;
  }

  const [one = {}, ...others] = await Promise.all(folders.map((folder) => folder.files()));
  for (const other of others) expect(other, `seed ${seed}`).toEqual(one);
  const rows = await clients.team.rows('?limit=200');
  const stored = rows.map(({ row_key, content }: { row_key: string; content: string }) => [row_key, content]);
  expect(Object.fromEntries(stored), `seed ${seed}`).toEqual(one);
  const left = new Set(Object.values(one).flatMap((text) => text.split('\n')));
  const missing = [...journal.lines].filter((line) => !left.has(line) && !journal.removable.has(line));
  expect(missing, `seed ${seed}`).toEqual([]);
  // The run meant something: there were files, kills and lost answers.
  expect(Object.keys(one).length).toBeGreaterThan(10);
  expect(killed).toBeGreaterThan(0);
  expect(lost).toBeGreaterThan(0);
});
