import { expect, test } from 'vitest';
import { originFromStored, storedOrigin } from './stored-feed.ts';

test('the origin of a row that a program of an earlier version wrote over is not that of its new text', () => {
  const origin = { key_id: 'a'.repeat(16), client: 'browser' };
  const stored = storedOrigin({ seq: 7, origin });
  expect(originFromStored(stored, 7)).toEqual({ origin });
  expect(originFromStored(stored, 8)).toEqual({});
  for (const nothing of [null, undefined]) expect(originFromStored(nothing, 7)).toEqual({});
  expect(storedOrigin({ seq: 7 })).toBeNull();
});
