import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { rawHttp } from './support/http/raw-http.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();

test('no answer of the API is kept by a cache, and each is what its media type says', async () => {
  const { team } = await newTeam(service());
  const answers = [
    await team.push(item('a.md')),
    await team.pull(),
    await team.call('/projects'),
    await team.call('/nothing'),
    await team.call('/items', { method: 'PUT' }),
    await team.remove('a.md'),
    await team.call('/openapi.json'),
    await team.call('/%ff'),
  ];
  for (const { status, headers } of answers) {
    expect([headers.get('cache-control'), headers.get('x-content-type-options')], `${status}`).toEqual([
      'no-store',
      'nosniff',
    ]);
  }
  const stream = await team.call('/query', { body: { q: 'what?' } });
  expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');
  expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
  const malformed = await rawHttp(service().url, 'hello\r\n\r\n');
  expect(malformed.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
});

test.each(['/docs', '/docs/scalar.js', '/problems/internal', '/problems/none', '/healthz', '/readyz', '/'])(
  '%s is what its media type says',
  async (path) => {
    const { headers } = await fetch(service().url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('pages load nothing from elsewhere, stand in no frame and tell no link where it was followed', async () => {
  for (const path of ['/docs', '/problems/internal']) {
    const { headers } = await fetch(service().url + path);
    const policy = headers.get('content-security-policy');
    expect(policy, path).toMatch(/^default-src 'none'/);
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy'), path).toBe('no-referrer');
  }
});
