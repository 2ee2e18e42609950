import { startService } from '../support/running-service.ts';
import { startChildProgram } from './child-program.ts';
import { fillPage, itemsPerPage } from './filled-page.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { portOf } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

const connections = 24;

/** Pages of 50 items of 2 KB, against a bare node:http server that sends the same bytes. */
export async function measurePageThroughput(context: BenchContext): Promise<Measurement> {
  const { quick, load } = context;
  const service = await startService({ environment: { ITEM_WRITES_PER_MINUTE: '1000000' } });
  const bare = startChildProgram('bare-server.ts');
  try {
    const { request, body } = await fillPage(context, service);
    const barePort = (await bare.ask(body)) as number;
    const perSecond = (port: number) => async () => {
      const durationMs = quick ? 300 : 2_000;
      const result = await load({ port, connections, requests: [request], durationMs });
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
