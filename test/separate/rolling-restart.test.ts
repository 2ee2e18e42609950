import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { balancerCheckMs, startBalancer } from '../support/deployment/balancer.ts';
import { isServing, partProcesses, replaceProcess } from '../support/deployment/part-process.ts';
import { actions, startLoad } from '../support/deployment/steady-load.ts';
import { sharedService } from '../support/service/shared-service.ts';

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
    ANALYTICS: '2',
    AUTHS: '2',
    QUERIES: '2',
  },
});

test('a rolling restart of every process under load fails no request', { timeout: timeoutMs }, async () => {
  const balancer = startBalancer(service());
  onTestFinished(balancer.stop);
  const load = startLoad(service(), await service().createTeam(), [balancer.next, balancer.next]);
  onTestFinished(load.stop);
  const perAction = () =>
    actions.map((action) => load.sent.filter((request) => request.action === action).length);
  await eventually('some load', () => Math.min(...perAction()) > 3, { withinMs: 60_000 });

  const names = partProcesses(service()).map(({ name }) => name);
  expect(names).toHaveLength(10);
  for (const name of names) {
    const before = load.sent.length;
    await replaceProcess(service(), name, 'SIGTERM');
    await eventually(
      'everybody to be ready',
      async () => (await Promise.all(partProcesses(service()).map(isServing))).every(Boolean),
      { withinMs: 60_000, everyMs: balancerCheckMs },
    );
    const failed = load.sent.slice(before).filter(({ status }) => status !== 200);
    expect({ name, failed }).toEqual({ name, failed: [] });
  }
  await load.stop();
  expect(load.sent.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Math.min(...perAction())).toBeGreaterThan(names.length);
  expect(await load.lostRows()).toEqual([]);
});
