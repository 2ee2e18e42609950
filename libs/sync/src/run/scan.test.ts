import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checksumOf } from '../format/checksum.ts';
import { type FileSystem, nodeFileSystem } from '../state/file-system.ts';
import type { KnownFile } from './examine.ts';
import { scanFolder } from './scan.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tms-scan-'));
});
afterEach(() => rm(root, { recursive: true }));

const later = () => Date.now() + 60_000;
const write = async (text: string) => {
  await writeFile(join(root, 'a.md'), text);
  await utimes(join(root, 'a.md'), 1_000_000_000, 1_000_000_000);
};
/** Returns the checksum of a.md and what the next scan need not read. */
async function scan({
  files = nodeFileSystem,
  known = new Map<string, KnownFile>(),
  now = Date.now(),
}: {
  files?: FileSystem;
  known?: ReadonlyMap<string, KnownFile>;
  now?: number;
} = {}) {
  const no = () => false;
  const tree = await scanFolder({ files, root, known, isTracked: no, hasTracked: no, isNamed: no, now });
  const file = tree.files.get('a.md');
  return { checksum: file?.kind === 'file' ? file.fileChecksum : undefined, known: tree.known };
}
const checksum = (text: string) => checksumOf(Buffer.from(text));

it('a file that did not change is not read again', async () => {
  await write('one\n');
  const { known } = await scan({ now: later() });
  const files = { ...nodeFileSystem, read: () => Promise.reject(new Error('was read')) };
  expect((await scan({ files, known })).checksum).toBe(checksum('one\n'));
});

it('a file of the same size and the same time is read again if it changed', async () => {
  await write('one\n');
  const { known } = await scan({ now: later() });
  await write('two\n');
  expect((await scan({ known })).checksum).toBe(checksum('two\n'));
});

it('a change within one tick of the clock is seen, though a tool set the time of the file back', async () => {
  const files: FileSystem = {
    ...nodeFileSystem,
    stat: async (path) => {
      const stat = await nodeFileSystem.stat(path);
      return stat && { ...stat, stamp: 'of this tick' };
    },
  };
  await write('one\n');
  const { known } = await scan({ files });
  await write('two\n');
  expect((await scan({ files, known })).checksum).toBe(checksum('two\n'));
});
