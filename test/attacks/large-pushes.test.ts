import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  peakMegabytes,
  printFigures,
  residentMegabytes,
  startBystander,
} from '../support/attacks/bystander.ts';
import { api, item } from '../support/http/api.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { type StartedService, startService, type Team } from '../support/service/running-service.ts';

const itemsOfPush = 60;
/** 60 of these are 8 MiB less the names around them. */
const contentBytes = 130_000;
const rounds = 3;
/** Bodies under way, and what the index may take of what was pushed. */
const boundedMegabytes = 128 + 64;
const timeoutMs = 120_000;

let service: StartedService;
let other: Team;
beforeAll(async () => {
  service = await startService({
    environment: { ITEM_WRITES_PER_MINUTE: '1000000', INDEX_MEMORY_MB: '64', INDEX_REFRESH_SECONDS: '0' },
  });
  other = await service.createTeam();
});
afterAll(() => service.remove());

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
    pushes.map(({ team, body }) => api(service, team, team.teamKey, '/api/v1/items', { body })),
  );
  expect(answers.map(({ status, body }) => [status, body.accepted])).toEqual(
    answers.map(() => [200, itemsOfPush]),
  );
}

/** Pushes three times, beside one who pulls, one who asks whether the process is up, and one who pushes a little. */
async function besideBystanders(attack: string, roundOf: (round: number) => Push[]): Promise<void> {
  const { pid } = service.process;
  // Made before: the test computes for long, and is not what is measured.
  const all = Array.from({ length: rounds }, (_, round) => roundOf(round));
  const before = residentMegabytes(pid);
  const bystanders = await Promise.all([
    startBystander(service, other),
    startBystander(service, other, { path: '/healthz' }),
    startBystander(service, other, { path: '/api/v1/items', body: { items: [item('small.md')] } }),
  ]);
  for (const pushes of all) await pushAll(pushes);
  const reports = await Promise.all(bystanders.map(({ stop }) => stop()));
  const grown = peakMegabytes(pid) - before;
  const turn = await readMetric(service.metricsUrl, 'event_loop_longest_turn_seconds');
  for (const [index, what] of ['pulls', '/healthz', 'small pushes'].entries()) {
    const report = reports[index];
    if (report === undefined) continue;
    printFigures(
      `${attack}, ${what}`,
      report,
      `+${grown.toFixed(0)} MB, longest turn ${(turn * 1_000).toFixed(0)} ms`,
    );
    expect(report.failures).toEqual([]);
    expect(report.worstMs).toBeLessThan(bystanderBoundMs);
  }
  if (!Number.isNaN(grown)) expect(grown).toBeLessThan(boundedMegabytes + extraMemoryBoundMegabytes);
}

test('three pushes of 8 MiB at once, of one team, hold nobody up', { timeout: timeoutMs }, async () => {
  const team = await service.createTeam();
  await besideBystanders('three pushes of 8 MiB', (round) =>
    [0, 1, 2].map((which) => ({ team, body: largePush(`${round}-${which}`, 'lorem ipsum dolor sit amet ') })),
  );
});

test('pushes of 8 MiB of four teams at once hold nobody up', { timeout: timeoutMs }, async () => {
  const teams = await Promise.all(Array.from({ length: 4 }, () => service.createTeam()));
  await besideBystanders('pushes of four teams', (round) =>
    teams.map((team) => ({ team, body: largePush(`${round}`, 'Überall 🦉 fließt Wasser. ') })),
  );
});
