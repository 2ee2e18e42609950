import { expect, test } from 'vitest';
import { checkQuestion } from './passage-search.ts';

test.for(['?', ' ', 'x'.repeat(4_000), '🙂'.repeat(4_000)])(
  'a question within the limits is taken',
  (question) => {
    expect(checkQuestion(question)).toBe(question);
  },
);

test.for(['', 'x'.repeat(4_001), '🙂'.repeat(4_001), 'x'.repeat(1_000_000)])(
  'a question outside the limits is refused, pointing at it',
  (question) => {
    const refusal = { code: 'invalid_request', violations: [{ pointer: '/q', detail: expect.any(String) }] };
    expect(() => checkQuestion(question)).toThrowError(expect.objectContaining(refusal));
  },
);
