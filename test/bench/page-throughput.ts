import { startService } from '../support/running-service.ts';
import { startChildProgram } from './child-program.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { benchBatches, portOf, requestBytes } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

const connections = 24;
const itemsPerPage = 50;
const path = `/api/v1/items?limit=${itemsPerPage}`;

/** Pages of 50 items of 2 KB, against a bare node:http server that sends the same bytes. */
export async function measurePageThroughput({ quick, load }: BenchContext): Promise<Measurement> {
  const service = await startService({ environment: { ITEM_WRITES_PER_MINUTE: '1000000' } });
  const bare = startChildProgram('bare-server.ts');
  try {
    const team = await service.createTeam();
    const [items] = benchBatches(0, 1, itemsPerPage);
    await load({
      port: portOf(service),
      connections: 1,
      requests: [requestBytes(team, 'POST', '/api/v1/items', { items })],
    });
    const page = requestBytes(team, 'GET', path);
    const headers = { authorization: `Bearer ${team.teamKey}`, 'x-svc-team': team.slug };
    const body = Buffer.from(await (await fetch(service.url + path, { headers })).arrayBuffer());
    const barePort = (await bare.ask(body)) as number;
    const perSecond = (port: number) => async () => {
      const result = await load({ port, connections, requests: [page], durationMs: quick ? 300 : 2_000 });
      return (result.answers / result.milliseconds) * 1000;
    };
    const contestants = [perSecond(portOf(service)), perSecond(barePort)] as const;
    await interleavedRounds(1, ...contestants);
    return {
      name: `page of ${itemsPerPage} items of 2 KB, ${connections} connections, against node:http`,
      unit: 'pages/s',
      goal: { atLeast: 0.9 },
      ...(await interleavedRounds(quick ? 3 : 7, ...contestants)),
    };
  } finally {
    bare.end();
    await service.remove();
  }
}
