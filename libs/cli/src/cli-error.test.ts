import { expect, it } from 'vitest';
import { errorText } from './cli-error.ts';

const sentence = { code: 'invalid_request', detail: 'The decision breaks a rule.' };

it('is the sentence alone where no place is named', () => {
  expect(errorText(sentence)).toBe('The decision breaks a rule.');
});

it('does not repeat what the sentence says', () => {
  const detail = 'slug: must be 1 to 64 of a-z';
  const errors = [{ pointer: '/slug', detail: 'must be 1 to 64 of a-z' }];
  expect(errorText({ code: 'invalid_request', detail, errors })).toBe(detail);
});

it('has an indented line for each place that breaks a rule, in their order', () => {
  const errors = [
    { pointer: '/title', detail: 'must be 1 to 300 characters' },
    { pointer: '', detail: 'must be an object' },
  ];
  expect(errorText({ ...sentence, errors })).toBe(
    'The decision breaks a rule.\n  /title: must be 1 to 300 characters\n  must be an object',
  );
});

it('lists no more faults than fit on a screen, and says how many more there are', () => {
  const errors = Array(100).fill({ pointer: '/a', detail: 'is wrong' });
  const lines = errorText({ ...sentence, errors }).split('\n');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('  and 80 more (--json prints all)');
});

it('keeps each place on its line and steers no terminal, whatever the server says', () => {
  const errors = [{ pointer: '/a\r\nb', detail: 'is\u001b[2J\nwrong' }];
  expect(errorText({ ...sentence, errors })).toBe('The decision breaks a rule.\n  /a b: is[2J wrong');
});
