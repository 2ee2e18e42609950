import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SyncClient } from './service.ts';
import { initWorkspace, openWorkspace } from './state/workspace.ts';
import type { SyncEvent } from './summary.ts';
import { createFakeService, type FakeService, lostAnswer } from './testing/fake-service.fixture.ts';
import { watchWorkspace } from './watch.ts';

let folder: string;
let service: FakeService;
let stop: AbortController;
let watchers: Promise<unknown>[];
/** What the issue promises is 3 s; a machine that is busy with other tests gets more. */
const patience = { timeout: 15_000, interval: 20 };

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tms-watch-')));
  service = createFakeService();
  stop = new AbortController();
  watchers = [];
});
afterEach(async () => {
  stop.abort();
  await Promise.all(watchers);
  await rm(folder, { recursive: true });
});

/** Rings when the fake service changes, as `GET /events` does. */
async function* changes({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<unknown> {
  for (let seen = -1; !signal?.aborted; ) {
    if (service.writes() !== seen) {
      seen = service.writes();
      yield seen;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function watched(name: string, client: SyncClient): Promise<{ root: string; events: SyncEvent[] }> {
  const root = await initWorkspace(join(folder, name), { url: 'http://service', team: 'rivers' });
  const workspace = await openWorkspace(root);
  const events: SyncEvent[] = [];
  const running = watchWorkspace(workspace, client, {
    direction: 'both',
    signal: stop.signal,
    report: (event) => events.push(event),
    finished: () => undefined,
  }).finally(() => workspace.close());
  watchers.push(running);
  await vi.waitFor(() => expect(events.some(({ kind }) => kind === 'planned')).toBe(true), patience);
  return { root, events };
}

it('an edit appears in another watched folder, and what the runs write themselves does not keep them running', async () => {
  const client = () => ({ ...service.client(), events: changes });
  const ada = await watched('ada', client());
  const bob = await watched('bob', client());
  for (const text of ['one\n', 'two\n']) {
    await writeFile(join(ada.root, 'a.md'), text);
    await vi.waitFor(async () => expect(await readFile(join(bob.root, 'a.md'), 'utf8')).toBe(text), patience);
  }
  const runs = () => [...ada.events, ...bob.events].filter(({ kind }) => kind === 'planned').length;
  // Quiet means: no run within a time in which a loop would make several.
  let before = -1;
  await vi.waitFor(
    () => {
      const now = runs();
      const isQuiet = now === before;
      before = now;
      expect(isQuiet).toBe(true);
    },
    { timeout: 15_000, interval: 1_500 },
  );
  expect(service.writes()).toBe(2);
});

it('while the service cannot be reached it waits, says so once, and goes on', async () => {
  let isDown = true;
  const down = service.client({
    before: () => {
      if (isDown) throw lostAnswer();
    },
  });
  const root = await initWorkspace(join(folder, 'ada'), { url: 'http://service', team: 'rivers' });
  await writeFile(join(root, 'a.md'), 'a\n');
  const workspace = await openWorkspace(root);
  const notes: string[] = [];
  const options = {
    direction: 'both' as const,
    signal: stop.signal,
    report: (event: SyncEvent) => void (event.kind === 'note' && notes.push(event.code)),
    finished: () => undefined,
  };
  const client = { ...down, events: changes };
  watchers.push(watchWorkspace(workspace, client, options).finally(() => workspace.close()));
  await vi.waitFor(() => expect(notes).toEqual(['waiting_for_service']), patience);
  isDown = false;
  await vi.waitFor(() => expect(service.items().has('a.md')).toBe(true), patience);
  expect(notes).toEqual(['waiting_for_service']);
});
