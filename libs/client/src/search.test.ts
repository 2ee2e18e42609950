import { describe, expect, it } from 'vitest';
import { clientFor, sendJson } from './testing/serve.fixture.ts';

describe('search', () => {
  const passage = {
    row_key: 'a.md',
    title: 'A',
    headings: ['One'],
    text: 'Text.',
    tier: 'team',
    kind: 'item',
    date: null,
    status: null,
    score: 1.5,
    later_field: 1,
  };

  it('sends the question and the limit, and returns the passages with fields of a later service', async () => {
    const client = await clientFor((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test');
      expect(pathname).toBe('/api/v1/search');
      expect([...searchParams]).toEqual([
        ['q', 'Why & "how"?\n100 % \u{1f9a6}'],
        ['limit', '3'],
      ]);
      sendJson(response, 200, { passages: [passage], incomplete: true });
    });
    const found = await client.search('Why & "how"?\n100 % \u{1f9a6}', { limit: 3 });
    expect(found).toEqual({ passages: [passage], incomplete: true });
  });

  it('leaves the number of passages to the service unless the caller names one', async () => {
    const client = await clientFor((request, response) => {
      expect(request.url).toBe('/api/v1/search?q=why%3F');
      sendJson(response, 200, { passages: [], incomplete: false });
    });
    expect((await client.search('why?')).passages).toEqual([]);
  });

  it('ends when the caller aborts it', async () => {
    const leaving = new AbortController();
    const client = await clientFor(() => leaving.abort());
    const search = client.search('why?', { signal: leaving.signal });
    await expect(search).rejects.toMatchObject({ code: 'cancelled' });
  });
});
