import { expect, test } from 'vitest';
import { withMarkedQuotes } from './marked-quotes.ts';

const marked = (answer: string, ...quotes: string[]) =>
  withMarkedQuotes(answer, quotes, (words) => `<${words}>`);

test('the sentence that matched is marked where it stands, whatever marks are around and in it', () => {
  expect(marked('**Backups**\n\nThey run. Kept for (90) days. [1]', 'Kept for [90] days.')).toBe(
    '**Backups**\n\nThey run. <Kept for (90) days>. [1]',
  );
  expect(marked('- **One** two', '- **One** two')).toBe('- **<One** two>');
});

test('quotes of several sources are marked once each, in any order; what does not stand there marks nothing', () => {
  expect(marked('b c. a.', 'a.', 'b c.', 'zebra', '!?')).toBe('<b c>. <a>.');
  expect(marked('a b c', 'a b', 'b c')).toBe('<a b> c');
});
