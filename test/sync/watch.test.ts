import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from '../support/sync/tms-folder.ts';

const testTimeoutMs = 120_000;
/** A second or two on a machine that has nothing else to do. */
const patience = { withinMs: 30_000, everyMs: 50 };
const service = sharedService();
let directory: TemporaryDirectory;
let watching: ChildProcess[] = [];

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async () => {
  for (const child of watching) child.kill('SIGKILL');
  watching = [];
  await directory.remove();
});

/** Starts `tms sync --watch` and waits until it says so. */
async function watch(folder: TmsFolder): Promise<{ child: ChildProcess; stdout(): string }> {
  const child = folder.start('sync', '.', '--watch', '--json');
  watching.push(child);
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  await eventually('it watches', () => text.stderr.includes('watching'), patience);
  return { child, stdout: () => text.stdout };
}

test('an edit in one watched folder appears in another, both ways, and Ctrl-C ends the watch with success', {
  timeout: testTimeoutMs,
}, async () => {
  const clients = await newTeam(service());
  const environment = { TMS_URL: service().url, TMS_TEAM: clients.slug, TMS_KEY: clients.teamKey };
  const one = await tmsFolder(join(directory.path, 'one'), environment);
  const two = await tmsFolder(join(directory.path, 'two'), environment);
  await one.write('plan.md', 'first\n');
  // A folder that became empty would stop: it is probably not the one that was meant.
  await one.write('kept.md', 'kept\n');
  const runs = await Promise.all([watch(one), watch(two)]);
  const reaches = (folder: TmsFolder, text: string) =>
    eventually(
      `${folder.path} has ${text}`,
      async () => (await folder.files())['plan.md'] === text,
      patience,
    );
  await reaches(two, 'first\n');
  await two.write('plan.md', 'second\n');
  await reaches(one, 'second\n');
  await one.remove('plan.md');
  await eventually('it is removed there', async () => !('plan.md' in (await two.files())), patience);
  for (const { child } of runs) {
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  }
  const lines = (runs[1]?.stdout() ?? '').trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ runs: lines.length - 1 });
  expect(lines.flatMap((line) => JSON.parse(line).written ?? [])).toContain('plan.md');
});
