import { expect, test } from 'vitest';
import { actionWords } from './audit-words.ts';

test.each([
  ['key.create', 'Key made'],
  ['sign_in_address.add', 'Sign in address added'],
  ['member.role', 'Member given another role'],
  ['export', 'Export'],
  ['call', 'Call refused'],
])('an action of the audit log is told in words: %s', (action, words) => {
  expect(actionWords(action)).toBe(words);
});
