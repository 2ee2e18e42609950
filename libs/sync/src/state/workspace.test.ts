import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findWorkspace, initWorkspace, openWorkspace, rowKeyOf, workspaceSettings } from './workspace.ts';

let folder: string;
const settings = { url: 'http://127.0.0.1:8080', team: 'rivers' };
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tms-workspace-')));
});
afterEach(() => rm(folder, { recursive: true }));

it('is found from any folder below, like that of git', async () => {
  const root = await initWorkspace(join(folder, 'new/notes'), settings);
  await mkdir(join(root, 'a/b'), { recursive: true });
  expect(await findWorkspace(join(root, 'a/b'))).toBe(root);
  expect(await findWorkspace(folder)).toBeUndefined();
  expect(await readFile(join(root, '.tms/.gitignore'), 'utf8')).toBe('*\n');
  expect(await workspaceSettings(root)).toEqual(settings);
});

it('is made again without harm, but not for another team', async () => {
  await initWorkspace(folder, settings);
  await initWorkspace(folder, settings);
  await expect(initWorkspace(folder, { ...settings, team: 'other' })).rejects.toMatchObject({
    code: 'other_workspace',
  });
});

it('is open in one process at a time for changes, and in any number for reading', async () => {
  const root = await initWorkspace(folder, settings);
  const workspace = await openWorkspace(root);
  await expect(openWorkspace(root)).rejects.toMatchObject({ code: 'locked' });
  await openWorkspace(root, { readOnly: true });
  await workspace.close();
  await (await openWorkspace(root)).close();
});

it('does not open where there is none, and not through a link', async () => {
  await expect(openWorkspace(folder)).rejects.toMatchObject({ code: 'no_workspace' });
  await expect(openWorkspace(join(folder, 'gone'))).rejects.toMatchObject({ code: 'missing_root' });
  await mkdir(join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), join(folder, '.tms'));
  await expect(initWorkspace(folder, settings)).rejects.toMatchObject({ code: 'bad_state' });
  await rm(join(folder, '.tms'));
  await mkdir(join(folder, '.tms'));
  await writeFile(join(folder, '.tms/settings.json'), '{}');
  await expect(openWorkspace(folder)).rejects.toMatchObject({ code: 'bad_state' });
});

it('row_keys are relative to the root, wherever one stands', () => {
  const workspace = { root: '/notes' };
  expect(rowKeyOf(workspace, 'b.md', '/notes/a')).toBe('a/b.md');
  expect(rowKeyOf(workspace, '../b.md', '/notes/a')).toBe('b.md');
  expect(rowKeyOf(workspace, '/notes', '/')).toBe('');
  expect(rowKeyOf(workspace, 'e\u0301.md', '/notes')).toBe('\u00e9.md');
  expect(() => rowKeyOf(workspace, '../b.md', '/notes')).toThrow('outside');
});
