import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { api } from '../support/http/api.ts';

const mebibyte = 1024 * 1024;
/** What the gateway keeps room for: 12 bodies of the largest size. */
const bodyBudgetMegabytes = 96;
/** The longest turn is to be 50 ms; what is asserted allows for a machine that others use too. */
const longestTurnBoundSeconds = 0.5;
const timeoutMs = 120_000;
const attacked = attackedService({ ITEM_WRITES_PER_MINUTE: '1000000' });

/** Some kilobytes that stand for 256 MiB, as one long text and as the JSON that costs most to count. */
const bombs = {
  gzip: [bomb('x'), bomb('[],')].map((text) => gzipSync(text)),
  zstd: [bomb('x'), bomb('[],')].map((text) => zstdCompressSync(text)),
};

function bomb(text: string): Buffer {
  const start = text === 'x' ? '{"items":"' : '{"items":[';
  return Buffer.concat([Buffer.from(start), Buffer.alloc(256 * mebibyte, text)]);
}

test.for(['gzip', 'zstd'] as const)(
  'bombs of %s are decoded no further than the bound, hold nobody up and use up the limit of their key',
  { timeout: timeoutMs },
  async (encoding) => {
    const { service } = attacked();
    const team = await service.createTeam();
    const statuses: number[] = [];
    const attack = async () => {
      // 64 MiB of refused bodies are allowed to a key: eight of 8 MiB.
      for (let round = 0; round < 4; round += 1) {
        const key = await team.newKey('team');
        const sent = Array.from({ length: 12 }, (_, index) =>
          api(service, team, key, '/api/v1/items', {
            body: bombs[encoding][index % 2],
            headers: { 'content-encoding': encoding },
          }),
        );
        statuses.push(...(await Promise.all(sent)).map(({ status }) => status));
        const body = bombs[encoding][0];
        for (let last = 0; last !== 429; ) {
          const headers = { 'content-encoding': encoding };
          last = (await api(service, team, key, '/api/v1/items', { body, headers })).status;
          expect([413, 429]).toContain(last);
        }
      }
    };
    const beside = { name: `bombs of ${encoding}`, ...attacked(), boundMegabytes: bodyBudgetMegabytes };
    const { longestTurnSeconds } = await besideBystanders(beside, attack);
    expect(longestTurnSeconds).toBeLessThan(longestTurnBoundSeconds);
    expect(statuses.filter((status) => ![413, 422, 429, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(413);
    expect(statuses).toContain(422);
  },
);
