import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataDirectory } from './data-directory.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tms-data-'));
  path = join(directory, 'data');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;
const secret = { token: 'tms_admin_secret' };

describe.skipIf(process.platform === 'win32')('a data directory that others prepared', () => {
  test('is closed to them, and the operator is told', () => {
    mkdirSync(path);
    chmodSync(path, 0o777);
    writeFileSync(join(path, 'content.sqlite'), '', { mode: 0o666 });
    chmodSync(join(path, 'content.sqlite'), 0o666);
    writeFileSync(join(path, 'holiday.jpg'), '', { mode: 0o644 });
    const data = openDataDirectory(path);
    expect(modeOf(path)).toBe(0o755);
    expect(modeOf(join(path, 'content.sqlite'))).toBe(0o600);
    expect(modeOf(join(path, 'lock'))).toBe(0o600);
    expect(modeOf(join(path, 'holiday.jpg'))).toBe(0o644);
    expect(data.notices).toHaveLength(2);
    expect(data.notices.join()).toMatch(/data was open to other users; their rights \(022\)/);
    data.release();
    const again = openDataDirectory(path);
    expect(again.notices).toEqual([]);
    again.release();
  });

  test.for(['file', 'symbolic link', 'hard link'])('gives no secret to a prepared %s', (kind) => {
    mkdirSync(path, { mode: 0o777 });
    const theirs = join(directory, 'theirs');
    writeFileSync(theirs, 'empty', { mode: 0o666 });
    for (const name of ['admin.json.new', 'admin.json.tmp']) {
      const prepared = join(path, name);
      if (kind === 'symbolic link') symlinkSync(theirs, prepared);
      else if (kind === 'hard link') linkSync(theirs, prepared);
      else writeFileSync(prepared, 'empty', { mode: 0o666 });
    }
    const data = openDataDirectory(path);
    data.writeSecret('admin.json', secret);
    expect(data.readSecret('admin.json')).toEqual(secret);
    expect(modeOf(join(path, 'admin.json'))).toBe(0o600);
    expect(lstatSync(join(path, 'admin.json'))).toMatchObject({ nlink: 1 });
    expect(readFileSync(theirs, 'utf8')).toBe('empty');
    expect(readFileSync(join(path, 'admin.json.new'), 'utf8')).toBe('empty');
    data.release();
  });

  test.for(['admin.json', 'content.sqlite', 'lock'])('is refused where its %s is a link', (name) => {
    mkdirSync(path);
    symlinkSync(join(directory, 'elsewhere'), join(path, name));
    expect(() => openDataDirectory(path)).toThrow(`${join(path, name)} in the data directory must be a file`);
  });

  test('is refused, and left as it is, where all users share it or it is no directory', () => {
    mkdirSync(path);
    chmodSync(path, 0o1777);
    expect(() => openDataDirectory(path)).toThrow(
      `All users of this machine share ${path}; name a directory below it.`,
    );
    expect(statSync(path).mode & 0o7777).toBe(0o1777);
    const file = join(directory, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    expect(() => openDataDirectory(file)).toThrow(`${file} is not a directory.`);
    expect(modeOf(file)).toBe(0o666);
  });

  test.runIf(process.geteuid?.() === 0)(
    'is refused where it, or a file in it, belongs to another user',
    async () => {
      const { chownSync } = await import('node:fs');
      mkdirSync(path);
      writeFileSync(join(path, 'auth.sqlite'), '');
      chownSync(join(path, 'auth.sqlite'), 12_345, 12_345);
      expect(() => openDataDirectory(path)).toThrow('auth.sqlite belongs to another user');
      chownSync(path, 12_345, 12_345);
      expect(() => openDataDirectory(path)).toThrow(`${path} belongs to another user`);
    },
  );
});
