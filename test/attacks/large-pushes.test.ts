import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { api, item } from '../support/http/api.ts';
import type { Team } from '../support/service/running-service.ts';

const itemsOfPush = 60;
/** 60 of these are 8 MiB less the names around them. */
const contentBytes = 130_000;
const rounds = 3;
/** Bodies under way, and what is being indexed of them. */
const boundMegabytes = 128 + 64;
const timeoutMs = 120_000;

const attacked = attackedService({
  ITEM_WRITES_PER_MINUTE: '1000000',
  INDEX_DISK_MB: '64',
  INDEX_REFRESH_SECONDS: '0',
});

/** A push of almost 8 MiB, of text that is new each time. */
function largePush(name: string, words: string): string {
  const items = Array.from({ length: itemsOfPush }, (_, index) => {
    const start = `# ${name} ${index}\n\n`;
    const length = contentBytes - Buffer.byteLength(start);
    const text = words.repeat(Math.ceil(length / Buffer.byteLength(words)));
    return item(
      `${name}/${index}.md`,
      start +
        Buffer.from(text)
          .subarray(0, length)
          .toString()
          .replace(/\ufffd+$/, ''),
    );
  });
  return JSON.stringify({ items });
}

interface Push {
  team: Team;
  body: string;
}

async function pushAll(pushes: Push[]): Promise<void> {
  const answers = await Promise.all(
    pushes.map(({ team, body }) => api(attacked().service, team, team.teamKey, '/api/v1/items', { body })),
  );
  expect(answers.map(({ status, body }) => [status, body.accepted])).toEqual(
    answers.map(() => [200, itemsOfPush]),
  );
}

/** Pushes three times, beside one who pulls, one who asks whether the process is up, and one who pushes a little. */
async function pushBeside(name: string, roundOf: (round: number) => Push[]): Promise<void> {
  // Made before: the test computes for long, and is not what is measured.
  const all = Array.from({ length: rounds }, (_, round) => roundOf(round));
  const actions = {
    pulls: {},
    '/healthz': { path: '/healthz' },
    'small pushes': { path: '/api/v1/items', body: { items: [item('small.md')] } },
  };
  await besideBystanders({ name, ...attacked(), actions, boundMegabytes }, async () => {
    for (const pushes of all) await pushAll(pushes);
  });
}

test('three pushes of 8 MiB at once, of one team, hold nobody up', { timeout: timeoutMs }, async () => {
  const team = await attacked().service.createTeam();
  await pushBeside('three pushes of 8 MiB', (round) =>
    [0, 1, 2].map((which) => ({ team, body: largePush(`${round}-${which}`, 'lorem ipsum dolor sit amet ') })),
  );
});

test('pushes of 8 MiB of four teams at once hold nobody up', { timeout: timeoutMs }, async () => {
  const teams = await Promise.all(Array.from({ length: 4 }, () => attacked().service.createTeam()));
  await pushBeside('pushes of four teams', (round) =>
    teams.map((team) => ({ team, body: largePush(`${round}`, 'Überall 🦉 fließt Wasser. ') })),
  );
});
