import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPreloaded } from './power-loss/recorder.ts';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { type StartedService, startService } from './support/service/running-service.ts';

const timeoutMs = 120_000;
/** Longer than any test. */
const untilReleased = 600_000;

const built = await temporaryDirectory();
const slowSync = buildPreloaded(join(import.meta.dirname, 'support/service/slow-sync.c'), built.path);
afterAll(built.remove);

const reason = 'reason' in slowSync ? ` (skipped: ${slowSync.reason})` : '';
describe.skipIf('reason' in slowSync)(`on a slow disk, with SQLite${reason}`, { timeout: timeoutMs }, () => {
  let directory: TemporaryDirectory;
  let service: StartedService;
  let writer: TeamClients;
  let reader: TeamClients;
  const delayFile = () => join(directory.path, 'milliseconds');
  const setDelay = (milliseconds: number) => writeFileSync(delayFile(), String(milliseconds));

  beforeAll(async () => {
    if ('reason' in slowSync) return;
    directory = await temporaryDirectory();
    setDelay(0);
    service = await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        LD_PRELOAD: slowSync.library,
        SLOW_SYNC_ROOT: join(directory.path, 'data'),
        SLOW_SYNC_MILLISECONDS: delayFile(),
      },
    });
    writer = await newTeam(service);
    reader = await newTeam(service);
    await reader.team.push(item('jars.md', 'Marmalade is kept in the cellar.'));
    // The first question of a team makes its index.
    expect((await reader.team.ask('where is the marmalade kept')).text).toContain('cellar');
  }, timeoutMs);
  afterAll(async () => {
    setDelay(0);
    await service?.remove();
    await directory?.remove();
  });

  test('health, pages and questions are answered while a push waits for its sync, and none shows what is not synced', async () => {
    setDelay(untilReleased);
    let isPushed = false;
    const pushing = writer.team.push(item('new.md', 'new')).finally(() => {
      isPushed = true;
    });
    await eventually('the push to wait for the disk', () => existsSync(`${delayFile()}.waiting`));
    for (const _round of [1, 2, 3]) {
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      expect((await reader.team.rows()).map(({ row_key }) => row_key)).toEqual(['jars.md']);
      expect(await writer.team.rows()).toEqual([]);
      expect((await reader.team.ask('where is the marmalade kept')).text).toContain('cellar');
    }
    // Who does not wait for the answer changes nothing for those who do.
    const abandoned = new AbortController();
    const abandoning = fetch(`${service.url}/api/v1/items`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${reader.teamKey}`,
        'x-svc-team': reader.slug,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ items: [item('abandoned.md', 'abandoned')] }),
      signal: abandoned.signal,
    });
    await eventually('it to wait behind the other push', async () =>
      /^teammemory_sqlite_waiting_writes\{file="content.sqlite"\} [1-9]/m.test(await service.metrics()),
    );
    abandoned.abort();
    await expect(abandoning).rejects.toThrow();
    expect(isPushed).toBe(false);
    setDelay(0);
    expect((await pushing).status).toBe(200);
    expect((await writer.team.rows()).map(({ row_key }) => row_key)).toEqual(['new.md']);
  });

  test('a question finds notes that were pushed and edited just before, and waits for no sync to index them', async () => {
    const { team } = await newTeam(service);
    const notes = Array.from({ length: 20 }, (_, index) =>
      item(`pipes-${index}.md`, `Pipe ${index} is of copper.`),
    );
    await team.push(...notes);
    expect((await team.ask('what is pipe 7 made of')).text).toContain('copper');
    await team.push(...notes.map(({ row_key }, index) => item(row_key, `Pipe ${index} is of bronze.`)));
    setDelay(untilReleased);
    try {
      expect((await team.ask('what is pipe 7 made of')).text).toContain('bronze');
    } finally {
      setDelay(0);
    }
  });

  test('a question knows a project that a note pushed just before is the first to name', async () => {
    const { team } = await newTeam(service);
    await team.push(item('oar.md', 'The oar is of ash.'));
    expect((await team.ask('what is the oar made of')).text).toContain('ash');
    setDelay(200);
    try {
      await team.push(item('ferry.md', 'The ferry sails.', { frontmatter: { project: 'walrus' } }));
      const { sources } = await team.ask('what is known of the project walrus');
      expect(sources.map(({ row_key }) => row_key)).toContain('projects/walrus');
    } finally {
      setDelay(0);
    }
  });
});
