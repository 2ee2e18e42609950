import { startBenchService } from './bench-service.ts';
import { startChildProgram } from './child-program.ts';
import { fillPage, itemsPerPage, pageLoad, readers } from './filled-page.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { portOf } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

/** Pages of 50 items of 2 KB, against a bare node:http server that sends the same bytes. */
export async function measurePageThroughput(context: BenchContext): Promise<Measurement> {
  const service = await startBenchService();
  const bare = startChildProgram('bare-server.ts');
  try {
    const { request, body } = await fillPage(context, service);
    const barePort = (await bare.ask(body)) as number;
    const perSecond = (port: number) => {
      const load = pageLoad(context, port, () => [request]);
      return async () => {
        const { answers, milliseconds } = await load();
        return (answers / milliseconds) * 1000;
      };
    };
    const contestants = [perSecond(portOf(service)), perSecond(barePort)] as const;
    await interleavedRounds(1, ...contestants);
    return {
      name: `page of ${itemsPerPage} items of 2 KB, ${readers} connections, against node:http`,
      unit: 'pages/s',
      goal: { atLeast: 0.9 },
      ...(await interleavedRounds(context.quick ? 3 : 7, ...contestants)),
    };
  } finally {
    bare.end();
    await service.remove();
  }
}
