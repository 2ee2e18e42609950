import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from '@teammemory/process/data-directory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { demoFile, planDemo, plannedDemoFile } from './planned-demo.ts';

function isPlannedBeside(file: string | undefined, isWanted = true): boolean {
  const path = mkdtempSync(join(tmpdir(), 'teammemory-demo-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const directory = openDataDirectory(path);
  if (file !== undefined) writeFileSync(join(path, file), '{}');
  planDemo(directory, isWanted);
  return directory.readSecret(plannedDemoFile) !== undefined;
}

test('a demo is planned where nothing is stored, and stays planned while it is wanted', () => {
  expect(isPlannedBeside(undefined)).toBe(true);
  expect(isPlannedBeside(plannedDemoFile)).toBe(true);
  expect(isPlannedBeside(plannedDemoFile, false)).toBe(false);
});

test('no demo is planned beside data, or where one was made or declined before the data were removed', () => {
  expect(isPlannedBeside('auth.sqlite')).toBe(false);
  expect(isPlannedBeside(demoFile)).toBe(false);
});
