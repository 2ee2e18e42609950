import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runToEnd } from '../support/service/run-program.ts';

const tms = join(import.meta.dirname, '../../libs/cli/src/main.ts');
/** What is refused in time takes some dozen megabytes; what is parsed takes gigabytes. */
const memoryMegabytes = 200;
const header = '#{"created_at":"2026-11-24T00:00:00.000Z","product":"0.2.0","services":["auth"]}\n';
const keys = '#{"section":"auth/keys"}\n';
const arrays = (characters: number) => `[${'[],'.repeat(characters / 3)}[]]`;

/** Texts of backups that a stranger prepared; each is some ten KiB when it is packed. */
const texts = {
  'a line about it that is long': `#{"end":${arrays(40_000_000)}}\n`,
  'a line without an end': `${header}${keys}${'['.repeat(40_000_000)}`,
  'a key of many values': `${header}${keys}{"revoked_at":null,"expires_at":null,"scopes":${arrays(12_000_000)}}\n`,
  'a key that is none': `${header}${keys}null\n`,
  'more keys than anybody has':
    header +
    keys +
    '{"key_id":"a","team_slug":"a","member_handle":"a","revoked_at":null,"expires_at":null}\n'.repeat(
      300_000,
    ),
  'more sections than there are':
    header + Array.from({ length: 2_000 }, (_, at) => `#{"section":"a/${at}"}\n`).join(''),
};

let directory: TemporaryDirectory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory.remove());

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: directory.path,
  NODE_OPTIONS: `--max-old-space-size=${memoryMegabytes}`,
});

test.each(Object.entries(texts))('a small backup with %s is refused in little memory', async (name, text) => {
  const packed = gzipSync(text);
  expect(packed.length).toBeLessThan(128 * 1024);
  const digest = createHash('sha256').update(packed).digest('hex');
  const file = join(directory.path, `${name}.backup`);
  await writeFile(file, Buffer.concat([Buffer.from(`team-memory-backup 1 sha256:${digest}\n`), packed]));
  const { code, stderr } = await runToEnd(process.execPath, [tms, 'restore', file, '--check'], environment());
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is no (?:whole )?backup/)]);
});

test('an exported folder with a small line of many values is refused in little memory', async () => {
  const folder = join(directory.path, 'exported');
  await mkdir(folder);
  const counts = { items: 1, decisions: 0, tasks: 0, projects: 0, scans: 0, snapshots: 0 };
  const manifest = {
    format: 'team-memory-export',
    version: 1,
    product_version: '0.2.0',
    members: [],
    counts,
    exported_at: '2026-11-24T00:00:00.000Z',
    team: { slug: 'a', name: 'A' },
    positions: { items: 1, decisions: 0, tasks: 0 },
  };
  await writeFile(join(folder, 'export.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'items.jsonl'), `{"item":{"frontmatter":{"a":${arrays(15_000_000)}}}}\n`);
  const { code, stderr } = await runToEnd(process.execPath, [tms, 'import', folder, '--team', 'a'], {
    ...environment(),
    TMS_ADMIN_TOKEN: 'x'.repeat(40),
    TMS_RPC_URL: 'http://127.0.0.1:9',
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('line 1 is damaged')]);
});
