import { generateSigningKeys } from '@teammemory/rpc/auth/caller-token.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { serviceUrls } from '../support/deployment/part-process.ts';
import { startPart } from '../support/deployment/running-part.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService({ environment: {} });

test('a gateway with the wrong signing key is not ready, says so once, and answers 503 instead of blaming keys', async () => {
  const created = await newTeam(service());
  const gateway = await startPart('gateway', {
    ...serviceUrls(service()),
    RPC_PORT: '0',
    ONLY_GATEWAY: 'yes',
    SIGNING_KEY: generateSigningKeys().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  onTestFinished(gateway.remove);
  const url = gateway.url ?? '';
  // A part may be slow to say that it is ready.
  const readiness = await eventually('nothing but the gateway is missing', async () => {
    const answer = await fetch(`${url}/readyz`);
    const body = (await answer.json()) as { missing?: string[] };
    return String(body.missing) === 'gateway' && { status: answer.status, body };
  });
  expect(readiness).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect((await fetch(`${url}/livez`)).status).toBe(200);

  const team = keyHolder({ url }, created, created.teamKey);
  for (const answer of [await team.pull(), await team.push(item('a.md')), await team.call('/events')]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  const lines = () =>
    gateway
      .log()
      .split('\n')
      .filter((line) => line.includes('"refused_by"'));
  await eventually('a line for each part', async () => {
    await fetch(`${url}/readyz`);
    return lines().length >= 4;
  });
  const errors = lines().map((line) => JSON.parse(line));
  expect(errors.map(({ refused_by }) => refused_by).sort()).toEqual([
    'analytics',
    'auth',
    'content',
    'query',
  ]);
  for (const { level, msg } of errors) {
    expect([level, msg]).toEqual(['error', expect.stringMatching(/VERIFICATION_KEYS .* SIGNING_KEY/)]);
  }
  expect(gateway.log()).not.toContain(created.teamKey);
});
