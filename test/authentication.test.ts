import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { rawHttp, rawRequest } from './support/http/raw-http.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** How long a revoked key may go on working (design, "Who is calling"). */
const revocationLimitMs = 5_000;
/** A key that expires must be made and used before, on a machine that is busy too. */
const expiry = { afterMs: 10_000, testMs: 60_000 };
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describeEachService('authentication', (service) => {
  /** The answer to GET /items with these header lines, without what is different in every answer. */
  async function answerTo(...headers: string[]) {
    const {
      status,
      headers: answered,
      body,
    } = await rawHttp(service().url, rawRequest('GET /api/v1/items HTTP/1.1', ...headers));
    const { request_id, ...problem } = JSON.parse(body);
    return { status, challenge: answered['www-authenticate'], problem };
  }

  const invalidKey = {
    status: 401,
    challenge: 'Bearer',
    problem: {
      type: '/problems/invalid_key',
      title: expect.any(String),
      status: 401,
      detail: expect.any(String),
      code: 'invalid_key',
    },
  };

  test('a key that is missing, malformed or unknown gets one and the same answer', async () => {
    const { slug, teamKey } = await service().createTeam();
    const flipped = teamKey.endsWith('0') ? '1' : '0';
    const authorizations = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      teamKey,
      `Basic ${Buffer.from(`ada:${teamKey}`).toString('base64')}`,
      `Bearer ${teamKey}, Bearer ${teamKey}`,
      `Bearer ${teamKey} ${teamKey}`,
      `Bearer ${teamKey.slice(0, -1)}`,
      `Bearer ${teamKey}x`,
      `Bearer ${teamKey.slice(0, -1)}${flipped}`,
      `Bearer ${teamKey.toLowerCase()}`,
      `Bearer ${wellFormedKey('nobody')}`,
      `Bearer tms_${teamKey.split('_')[1]}_${wellFormedKey('guess').split('_')[2]}`,
      `Bearer ${service().adminToken}`,
      `Bearer ${'x'.repeat(8_000)}`,
    ];
    const answers = await Promise.all(
      authorizations.map((value) =>
        answerTo(`X-Svc-Team: ${slug}`, ...(value === undefined ? [] : [`Authorization: ${value}`])),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      expect(answer, `Authorization: ${authorizations[index]}`).toEqual(invalidKey);
      expect(answer).toEqual(answers[0]);
    }
  });

  test('made-up keys of this test are well-formed: their checksum is that of real ones', async () => {
    const { teamKey } = await service().createTeam();
    expect(teamKey).toMatch(/^tms_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
    expect(checksum(teamKey.slice(0, -6))).toBe(teamKey.slice(-6));
  });

  test.concurrent('an expired key gets the answer of an unknown one', {
    timeout: expiry.testMs,
  }, async () => {
    const { slug } = await service().createTeam();
    const admin = createAdminClient({ rpcUrl: service().rpcUrl, token: service().adminToken });
    const expiresAt = new Date(Date.now() + expiry.afterMs);
    const { key } = await admin.createKey({ team: slug, member: 'ada', tier: 'team', expiresAt });
    admin.close();
    expect((await keyHolder(service(), { slug }, key).pull()).status).toBe(200);
    const refused = await eventually(
      'the key expires',
      async () => {
        const answer = await answerTo(`X-Svc-Team: ${slug}`, `Authorization: Bearer ${key}`);
        return answer.status === 401 && answer;
      },
      { withinMs: 2 * expiry.afterMs, everyMs: 100 },
    );
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    expect(refused).toEqual(invalidKey);
  });

  test.concurrent('a revoked key is refused within 5 seconds, also while it is in use, and others are not', async () => {
    const { slug, team, external } = await newTeam(service());
    expect((await team.pull()).status).toBe(200);
    const admin = createAdminClient({ rpcUrl: service().rpcUrl, token: service().adminToken });
    await admin.revokeKey(team.key.split('_')[1] ?? '');
    const revokedMs = performance.now();
    admin.close();
    let lastGoodMs = revokedMs;
    const refused = await eventually(
      'the key is refused',
      async () => {
        const sentMs = performance.now();
        const answer = await answerTo(`X-Svc-Team: ${slug}`, `Authorization: Bearer ${team.key}`);
        if (answer.status === 401) return answer;
        lastGoodMs = sentMs;
        return undefined;
      },
      { withinMs: 2 * revocationLimitMs, everyMs: 100 },
    );
    expect(lastGoodMs - revokedMs).toBeLessThan(revocationLimitMs);
    expect(refused).toEqual(invalidKey);
    expect((await external.pull()).status).toBe(200);
  });

  test('nobody learns which teams exist: every team but its own is the same to a key', async () => {
    const mine = await service().createTeam();
    const other = await service().createTeam();
    const teams = [
      [],
      [''],
      ['no-such-team'],
      [other.slug],
      [mine.slug.toUpperCase()],
      [`${mine.slug}x`],
      [`${mine.slug},`],
      [mine.slug, mine.slug],
      [mine.slug, other.slug],
      ['../', '*'],
    ];
    const answers = await Promise.all(
      teams.map((names) =>
        answerTo(`Authorization: Bearer ${mine.teamKey}`, ...names.map((name) => `X-Svc-Team: ${name}`)),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      expect(answer, JSON.stringify(teams[index])).toMatchObject({
        status: 403,
        challenge: undefined,
        problem: { code: 'team_forbidden', type: '/problems/team_forbidden' },
      });
      expect(answer).toEqual(answers[0]);
    }
  });

  test('a repeated Authorization header is refused, whichever of the two is good', async () => {
    const { slug, teamKey } = await service().createTeam();
    const good = `Authorization: Bearer ${teamKey}`;
    const bad = `Authorization: Bearer ${wellFormedKey('nobody')}`;
    for (const headers of [
      [good, bad],
      [bad, good],
      [good, good],
    ]) {
      expect(await answerTo(`X-Svc-Team: ${slug}`, ...headers)).toEqual(invalidKey);
    }
  });

  test('the scheme is read in any case', async () => {
    const { slug, teamKey } = await service().createTeam();
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await rawHttp(
        service().url,
        rawRequest(
          'GET /api/v1/items HTTP/1.1',
          `X-Svc-Team: ${slug}`,
          `Authorization: ${scheme} ${teamKey}`,
        ),
      );
      expect(answer.status, scheme).toBe(200);
    }
  });
});

/** A key in the right form, checksum included, that was never issued. */
function wellFormedKey(seed: string): string {
  const secret = createHash('sha256').update(seed).digest('hex').slice(0, 37);
  const body = `tms_${'0'.repeat(16)}_${secret}`;
  return body + checksum(body);
}

/** CRC-32 in six digits of base 62 (docs/contract.md, "Names"). */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < 6) {
    text = `${digits[rest % 62]}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
}
