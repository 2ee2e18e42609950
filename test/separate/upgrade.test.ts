import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { expect, onTestFinished, test } from 'vitest';
import { balancerCheckMs, startBalancer } from '../support/deployment/balancer.ts';
import { separateParts } from '../support/deployment/deployment.ts';
import { installLastRelease, lastVersion, noLastRelease } from '../support/deployment/last-release.ts';
import { isServing, partProcesses, replaceProcess } from '../support/deployment/part-process.ts';
import { actions, startLoad } from '../support/deployment/steady-load.ts';
import { startService } from '../support/service/running-service.ts';

/** Ten processes are replaced twice, one after the other, each in some seconds. */
const timeoutMs = 600_000;
/** How long a gateway goes on taking requests after it has said that it is not ready. */
const shutdownDelaySeconds = 2;

/** Between two requests of a client: a query process that is replaced reads all items anew, some twenty a second here. */
const pauseMs = 1_000;

const environment = {
  ITEM_WRITES_PER_MINUTE: '1000000',
  SNAPSHOTS_PER_MINUTE: '1000000',
  QUESTIONS_PER_MINUTE: '1000000',
  SHUTDOWN_DELAY_SECONDS: String(shutdownDelaySeconds),
  // While one is replaced another has to be there.
  ANALYTICS: '2',
  AUTHS: '2',
  QUERIES: '2',
};

if (noLastRelease === undefined) {
  test(`a rolling upgrade from ${lastVersion}, and the way back, fail no request and lose nothing`, {
    timeout: timeoutMs,
  }, async () => {
    const installation = installLastRelease();
    onTestFinished(installation.remove);
    const parts = await separateParts(mongoServerForTests());
    const service = await startService({
      deployment: { ...parts, program: join(installation.path, parts.program) },
      environment,
    });
    onTestFinished(service.remove);
    const balancer = startBalancer(service);
    onTestFinished(balancer.stop);
    const load = startLoad(service, await service.createTeam(), [balancer.next, balancer.next], { pauseMs });
    onTestFinished(load.stop);
    const least = () =>
      Math.min(...actions.map((action) => load.sent.filter((sent) => sent.action === action).length));
    await eventually('some load', () => least() > 3, { withinMs: 60_000 });

    const names = partProcesses(service).map(({ name }) => name);
    for (const step of ['upgrade', 'downgrade'] as const) {
      installation[step]();
      for (const name of names) {
        const before = load.sent.length;
        await replaceProcess(service, name, 'SIGTERM');
        await eventually(
          'everybody to be ready',
          async () => (await Promise.all(partProcesses(service).map(isServing))).every(Boolean),
          { withinMs: 60_000, everyMs: balancerCheckMs },
        );
        // As an operator waits: it makes its index first. When it came, both clients waited for an answer.
        const answers = () => load.sent.filter(({ action }) => action === 'ask').length;
        const wanted = answers() + (name.startsWith('query-') ? 3 : 0);
        await eventually('a question that was asked since', () => answers() >= wanted, {
          withinMs: 60_000,
          everyMs: balancerCheckMs,
        });
        const failed = load.sent.slice(before).filter(({ status }) => status !== 200);
        expect({ step, name, failed }).toEqual({ step, name, failed: [] });
      }
      const health = await fetch(`${balancer.next()}/healthz`);
      expect('version' in ((await health.json()) as object)).toBe(step === 'upgrade');
    }
    await load.stop();
    expect(load.sent.filter(({ status }) => status !== 200)).toEqual([]);
    expect(least()).toBeGreaterThan(2 * names.length);
    expect(await load.lostRows()).toEqual([]);
  });
} else {
  test(`a rolling upgrade is not tested: ${noLastRelease}`, () => undefined);
}
