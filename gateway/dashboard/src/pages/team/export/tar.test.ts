import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tarEnd, tarFile } from './tar.ts';

test('tar unpacks what was packed: any name, any length, and when it changed', () => {
  const changedAt = new Date('2026-05-06T07:08:09.5Z');
  const files = new Map([
    ['empty.md', ''],
    ['items/short.md', 'a'],
    ['items/block.md', 'b'.repeat(512)],
    ['items/übersicht – 時刻表.md', 'ä\r\n'],
    [`items/${'long/'.repeat(60)}end.md`, 'c'.repeat(1_000)],
    // A record of whose length the own digits count.
    [`items/${'x'.repeat(83)}é.md`, 'd'],
  ]);
  const parts = [...files].flatMap(([name, text]) =>
    tarFile(name, new TextEncoder().encode(text), changedAt),
  );
  const folder = mkdtempSync(join(tmpdir(), 'tar-'));
  try {
    writeFileSync(join(folder, 'a.tar'), Buffer.concat([...parts, tarEnd()]));
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder });
    for (const [name, text] of files) {
      const path = join(folder, name);
      expect([name, readFileSync(path, 'utf8')]).toEqual([name, text]);
      expect(statSync(path).mode & 0o077).toBe(0);
      expect(statSync(path).mtime.toISOString()).toBe('2026-05-06T07:08:09.000Z');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
