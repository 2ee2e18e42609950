import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { encodedAnswer } from './support/http/encoded-answer.ts';
import { type KeyHolder, newTeam, type TeamClients } from './support/http/key-holder.ts';
import { totalOfMetric } from './support/service/read-metric.ts';
import type { RunningService } from './support/service/running-service.ts';
import { describeEachService } from './support/service/shared-service.ts';

const codings = ['zstd', 'br', 'gzip'] as const;
const text = 'What a team has to know about its work, é 日本語.\n'.repeat(100);
const compressions = 'teammemory_http_answers_compressed_total\\{.*\\}';

/** Sends requests with the team's own key, always to the first gateway: each has a cache of its own. */
function readerOf(service: RunningService, team: TeamClients, key: KeyHolder = team.team) {
  return (path: string, accept?: string, more: { method?: string; body?: unknown } = {}) =>
    encodedAnswer(`${service.url}/api/v1${path}`, accept, { ...more, reader: { team, key } });
}

describeEachService('answers', (service) => {
  test.each(codings)('in %s are what they are without it, of pages, lists and problems', async (coding) => {
    const team = await newTeam(service());
    const read = readerOf(service(), team);
    await team.team.push(...Array.from({ length: 5 }, (_, index) => item(`${index}.md`, text + index)));
    await team.team.push(
      item('tasks.md', Array.from({ length: 30 }, (_, line) => `- [ ] Task ${line}\n`).join('')),
    );
    const wrong = Array.from({ length: 20 }, (_, index) => item(`${index}.md`, text, { tier: 'nobody' }));
    const problem = { method: 'POST', body: { items: wrong } };
    const requests = [['/items'], ['/items?limit=2'], ['/tasks'], ['/items', problem]] as const;
    for (const [path, more] of requests) {
      const plain = await read(path, undefined, more);
      const encoded = await read(path, coding, more);
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
      expect([encoded.headers['content-encoding'], encoded.headers.vary]).toEqual([
        coding,
        'Accept-Encoding',
      ]);
      expect([encoded.status, encoded.headers['content-type']]).toEqual([
        plain.status,
        plain.headers['content-type'],
      ]);
      expect(encoded.headers['content-length']).toBe(String(encoded.bytes.length));
      expect(encoded.bytes.length).toBeLessThan(plain.bytes.length / 2);
      const id = /"request_id":"[^"]*"/;
      expect(encoded.text.replace(id, '')).toBe(plain.text.replace(id, ''));
    }
  });

  test('are compressed once for all readers of a page, and again only after a change', async () => {
    const team = await newTeam(service());
    const read = readerOf(service(), team);
    const other = readerOf(service(), team, { ...team.team, key: await team.newKey('team') });
    const compressed = () => totalOfMetric(service(), compressions);
    for (const coding of codings) {
      await team.team.push(item('a.md', text + coding));
      const before = await compressed();
      const first = await read('/items', coding);
      const again = [await read('/items', coding), await other('/items', coding)];
      for (const { bytes } of again) expect(bytes.equals(first.bytes)).toBe(true);
      expect((await compressed()) - before).toBe(1);
      await team.team.push(item('a.md', `${text}changed ${coding}`));
      expect((await read('/items', coding)).text).toContain(`changed ${coding}`);
      expect((await compressed()) - before).toBe(2);
    }
  });

  test('of one tier are not sent to another, in no coding', async () => {
    const team = await newTeam(service());
    await team.team.push(
      item('inside.md', `${text}only inside`),
      item('open.md', text, { tier: 'external' }),
    );
    for (const coding of codings) {
      expect((await readerOf(service(), team)('/items', coding)).text).toContain('only inside');
      const { headers, text: seen } = await readerOf(service(), team, team.external)('/items', coding);
      expect([headers['content-encoding'], seen.includes('inside')]).toEqual([coding, false]);
    }
  });
});

describe('the coding of an answer', () => {
  describeEachService('follows what its reader accepts', (service) => {
    test.each([
      ['gzip;q=0.5, br', 'br'],
      ['*', 'zstd'],
      ['zstd;q=0, *', 'br'],
      ['gzip;q=0', undefined],
      ['gzip, *;q=0', 'gzip'],
      ['*;q=0', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['identity;q=0, gzip', 'gzip'],
      ['identity;q=0', undefined],
      ['deflate', undefined],
      ['nonsense;;q=,,', undefined],
    ])('%j: %s', async (accept, coding) => {
      const team = await newTeam(service());
      await team.team.push(item('a.md', text));
      const { status, headers, text: page } = await readerOf(service(), team)('/items', accept);
      expect([status, headers['content-encoding']]).toEqual([200, coding]);
      expect(JSON.parse(page).items[0].content).toBe(text);
    });

    test('small answers are sent as they are, unless that is refused', async () => {
      const team = await newTeam(service());
      const read = readerOf(service(), team);
      for (const path of ['/items', '/tasks', '/projects', '/nothing']) {
        const { headers } = await read(path, 'zstd, gzip');
        expect(headers['content-encoding'], path).toBeUndefined();
        const forced = await read(path, 'gzip, identity;q=0');
        expect(forced.headers['content-encoding'], path).toBe('gzip');
        expect(JSON.parse(forced.text)).toBeTypeOf('object');
      }
    });

    test('event streams, answers without a body and answers to HEAD have none', async () => {
      const team = await newTeam(service());
      const read = readerOf(service(), team);
      await team.team.push(item('a.md', text));
      const stream = await read('/query', 'gzip, identity;q=0', { method: 'POST', body: { q: 'work?' } });
      expect([stream.status, stream.headers['content-encoding']]).toEqual([200, undefined]);
      expect(stream.text).toContain('event: done');
      const plain = await read('/items');
      const head = await read('/items', 'gzip', { method: 'HEAD' });
      expect([head.status, head.headers['content-encoding']]).toEqual([200, undefined]);
      expect(head.headers['content-length']).toBe(String(plain.bytes.length));
      const removed = await read('/items/a.md', 'gzip, identity;q=0', { method: 'DELETE' });
      expect([removed.status, removed.headers['content-encoding']]).toEqual([204, undefined]);
    });

    test('what is the same for everybody is compressed once, also for strangers', async () => {
      const documents = ['/api/v1/openapi.json', '/docs/scalar.js'];
      for (const path of documents) {
        const plain = await encodedAnswer(service().url + path, undefined);
        const encoded = await encodedAnswer(service().url + path, 'br');
        expect([encoded.headers['content-encoding'], encoded.headers.vary]).toEqual([
          'br',
          'Accept-Encoding',
        ]);
        expect(encoded.text).toBe(plain.text);
      }
      const before = await totalOfMetric(service(), compressions);
      for (const path of documents) await encodedAnswer(service().url + path, 'br');
      expect(await totalOfMetric(service(), compressions)).toBe(before);
    });

    test('strangers cannot have anything else compressed', async () => {
      const before = await totalOfMetric(service(), compressions);
      const { status, headers } = await encodedAnswer(`${service().url}/api/v1/items`, 'gzip, identity;q=0');
      expect([status, headers['content-encoding']]).toEqual([401, undefined]);
      expect(await totalOfMetric(service(), compressions)).toBe(before);
    });
  });
});
