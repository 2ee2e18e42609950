import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { rowKeyOf } from './workspace.ts';

const windows = { root: 'C:\\Users\\ada\\notes' };
const unix = { root: '/home/ada/notes' };

test.for<[string, string, string]>([
  ['plan.md', 'C:\\Users\\ada\\notes', 'plan.md'],
  ['projects\\web\\plan.md', 'C:\\Users\\ada\\notes', 'projects/web/plan.md'],
  ['projects/web/plan.md', 'C:\\Users\\ada\\notes', 'projects/web/plan.md'],
  ['plan.md', 'C:\\Users\\ada\\notes\\projects\\web', 'projects/web/plan.md'],
  ['..\\plan.md', 'C:\\Users\\ada\\notes\\projects', 'plan.md'],
  ['C:\\Users\\ada\\notes\\a.md', 'D:\\', 'a.md'],
  ['c:\\users\\ADA\\Notes\\a.md', 'D:\\', 'a.md'],
  ['\\Users\\ada\\notes\\a.md', 'C:\\Windows', 'a.md'],
  ['notes\\cafe\u0301.md', 'C:\\Users\\ada', 'café.md'],
  ['.', 'C:\\Users\\ada\\notes', ''],
])('a row_key has slashes on Windows, wherever one stands: %j in %j', ([path, workingDirectory, rowKey]) => {
  expect(rowKeyOf(windows, path, workingDirectory, win32)).toBe(rowKey);
});

test('a share of another machine is a root like any other', () => {
  const share = { root: '\\\\server\\team\\notes' };
  expect(rowKeyOf(share, 'web\\plan.md', '\\\\server\\team\\notes', win32)).toBe('web/plan.md');
  expect(() => rowKeyOf(share, 'C:\\plan.md', 'C:\\', win32)).toThrow('outside');
});

test.for<[string, string]>([
  ['..\\plan.md', 'C:\\Users\\ada\\notes'],
  ['D:\\plan.md', 'C:\\Users\\ada\\notes'],
  ['C:\\Users\\ada\\notes-old\\plan.md', 'C:\\'],
])('no path outside the folder has a row_key on Windows: %j in %j', ([path, workingDirectory]) => {
  expect(() => rowKeyOf(windows, path, workingDirectory, win32)).toThrow('outside');
});

test.for<[string, string, string]>([
  ['web/plan.md', '/home/ada/notes', 'web/plan.md'],
  ['plan.md', '/home/ada/notes/web', 'web/plan.md'],
  ['..plan.md', '/home/ada/notes', '..plan.md'],
  ['a\\b.md', '/home/ada/notes', 'a\\b.md'],
])('elsewhere a backslash is a character of a name: %j in %j', ([path, workingDirectory, rowKey]) => {
  expect(rowKeyOf(unix, path, workingDirectory, posix)).toBe(rowKey);
});
