import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import {
  gatewayProcesses,
  isServing,
  partProcesses,
  replaceProcess,
} from '../support/deployment/part-process.ts';
import { actions, startLoad } from '../support/deployment/steady-load.ts';
import { sharedService } from '../support/service/shared-service.ts';

/** How often the load balancer looks whether a gateway is ready. */
const checkEveryMs = 100;
/** How long a gateway goes on taking requests after it has said that it is not ready: several of these checks. */
const shutdownDelaySeconds = 2;
/** Ten processes, one after the other, each some seconds. */
const timeoutMs = 300_000;

const service = sharedService({
  environment: {
    ITEM_WRITES_PER_MINUTE: '1000000',
    SNAPSHOTS_PER_MINUTE: '1000000',
    SHUTDOWN_DELAY_SECONDS: String(shutdownDelaySeconds),
    // While one restarts another has to be there.
    ...{ ANALYTICS: '2', AUTHS: '2', QUERIES: '2' },
  },
});

test('a rolling restart of every process under load fails no request', { timeout: timeoutMs }, async () => {
  const balancer = startBalancer();
  onTestFinished(balancer.stop);
  const load = startLoad(service(), await service().createTeam(), [balancer.next, balancer.next]);
  onTestFinished(load.stop);
  const perAction = () =>
    actions.map((action) => load.sent.filter((request) => request.action === action).length);
  await eventually('some load', () => Math.min(...perAction()) > 3);

  const names = partProcesses(service()).map(({ name }) => name);
  expect(names).toHaveLength(10);
  for (const name of names) {
    const before = load.sent.length;
    await replaceProcess(service(), name, 'SIGTERM');
    await eventually(
      'everybody to be ready',
      async () => (await Promise.all(partProcesses(service()).map(isServing))).every(Boolean),
      { everyMs: checkEveryMs },
    );
    const failed = load.sent.slice(before).filter(({ status }) => status !== 200);
    expect({ name, failed }).toEqual({ name, failed: [] });
  }
  await load.stop();
  expect(load.sent.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Math.min(...perAction())).toBeGreaterThan(names.length);
  expect(await load.lostRows()).toEqual([]);
});

/** Names the gateways that say that they are ready, by turns, as a load balancer chooses them. */
function startBalancer(): { next(): string; stop(): Promise<void> } {
  const gateways = gatewayProcesses(service());
  let ready = gateways;
  let turn = 0;
  let stopped = false;
  async function watch(): Promise<void> {
    while (!stopped) {
      const answers = await Promise.all(gateways.map((gateway) => isServing(gateway).catch(() => false)));
      ready = gateways.filter((_, index) => answers[index]);
      await delay(checkEveryMs);
    }
  }
  const watching = watch();
  return {
    next() {
      turn += 1;
      const candidates = ready.length > 0 ? ready : gateways;
      return candidates[turn % candidates.length]?.address as string;
    },
    async stop() {
      stopped = true;
      await watching;
    },
  };
}
