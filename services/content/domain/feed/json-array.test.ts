import { expect, test } from 'vitest';
import { jsonArray } from './feed-page.ts';

test.each([
  [[], '[]'],
  [['{"a":1}'], '[{"a":1}]'],
  [['1', '"é"', '{}'], '[1,"é",{}]'],
])('%j are joined to %s', (elements, json) => {
  expect(Buffer.from(jsonArray(elements.map((text) => Buffer.from(text)))).toString()).toBe(json);
});
