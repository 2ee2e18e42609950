import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  gatewayProcesses,
  isServing,
  partProcess,
  replaceProcess,
} from '../support/deployment/part-process.ts';
import {
  type Action,
  actions,
  brokenOff,
  type SentRequest,
  type SteadyLoad,
  startLoad,
} from '../support/deployment/steady-load.ts';
import { sharedService } from '../support/service/shared-service.ts';

/** An answer that cannot be given: a call's 10 s, a look-up of the key before it, and a machine that is busy. */
const boundMs = 20_000;
/** Requests of each action at each gateway that must succeed in a row before service counts as resumed. */
const successesWanted = 3;
/** Twice what it takes to find out that a process hangs, and to answer what waits for it. */
const timeoutMs = 120_000;

const service = sharedService({
  environment: { ITEM_WRITES_PER_MINUTE: '1000000', SNAPSHOTS_PER_MINUTE: '1000000' },
});
let load: SteadyLoad;
beforeAll(async () => {
  const clients = service().urls.map((url) => () => url);
  load = startLoad(service(), await service().createTeam(), clients);
});
afterAll(() => load.stop());

describe('a process is killed under load and started again', () => {
  test.for<[string, Action[]]>([
    ['content-1', []],
    ['query-1', ['ask']],
    ['analytics-1', ['report']],
    ['auth-1', [...actions]],
  ])('%s: only %j can fail, as 503 for a bounded time', { timeout: timeoutMs }, async ([name, actions]) => {
    const during = await sentDuring(() => replaceProcess(service(), name, 'SIGKILL'));
    expectUnavailableOnly(during, ({ action }) => actions.includes(action));
  });

  test('gateway-1: requests to the other gateway do not fail', { timeout: timeoutMs }, async () => {
    const { address } = partProcess(service(), 'gateway-1');
    const during = await sentDuring(() => replaceProcess(service(), 'gateway-1', 'SIGKILL'));
    expect(failures(during).filter(({ gateway }) => gateway !== address)).toEqual([]);
  });
});

describe('a process hangs under load and goes on', () => {
  test.for<[string[], Action[]]>([
    [['query-1'], ['ask']],
    [
      ['content-1', 'content-2'],
      ['push', 'pull', 'ask'],
    ],
  ])('%j: only %j fail, as 503 in bounded time', { timeout: timeoutMs }, async ([names, actions]) => {
    const parts = names.map((name) => partProcess(service(), name));
    const during = await sentDuring(async () => {
      for (const { pid } of parts) process.kill(pid, 'SIGSTOP');
      try {
        const before = load.sent.length;
        await eventually(
          'each action to be refused at each gateway',
          () => everywhere(actions, 1, failures(load.sent.slice(before))),
          { withinMs: 3 * boundMs },
        );
      } finally {
        for (const { pid } of parts) process.kill(pid, 'SIGCONT');
      }
    });
    expectUnavailableOnly(during, ({ action }) => actions.includes(action));
  });
});

test('no acknowledged write was lost in any of this', async () => {
  await load.stop();
  expect(
    load.sent.filter(({ action, status }) => action === 'push' && status === 200).length,
  ).toBeGreaterThan(50);
  expect(await load.lostRows()).toEqual([]);
});

/** The requests that ended from now until, after `disturb`, all succeed again. */
async function sentDuring(disturb: () => Promise<unknown>): Promise<SentRequest[]> {
  const begin = load.sent.length;
  await disturb();
  await eventually(
    'service to resume',
    () => {
      const lastFailure = load.sent.findLastIndex(({ status }) => status !== 200);
      return everywhere(actions, successesWanted, load.sent.slice(Math.max(begin, lastFailure + 1)));
    },
    { withinMs: 2 * boundMs },
  );
  await eventually('both gateways to be ready', async () =>
    (await Promise.all(gatewayProcesses(service()).map(isServing))).every(Boolean),
  );
  return load.sent.slice(begin);
}

/** Whether so many of these requests were sent for each of the actions to each gateway. */
function everywhere(wanted: readonly Action[], count: number, requests: readonly SentRequest[]): boolean {
  const sentTo = (url: string, action: Action) =>
    requests.filter((request) => request.gateway === url && request.action === action);
  return service().urls.every((url) => wanted.every((action) => sentTo(url, action).length >= count));
}

function failures(requests: readonly SentRequest[]): SentRequest[] {
  return requests.filter(({ status }) => status !== 200);
}

function expectUnavailableOnly(
  requests: readonly SentRequest[],
  mayFail: (request: SentRequest) => boolean,
): void {
  expect(failures(requests).filter((request) => !mayFail(request))).toEqual([]);
  for (const { status, retryAfter, durationMs, detail } of failures(requests)) {
    expect(durationMs).toBeLessThan(boundMs);
    // A stream that had begun tells of the fault by its last event.
    if (detail === brokenOff) continue;
    expect({ status, detail }).toEqual({ status: 503, detail });
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
}
