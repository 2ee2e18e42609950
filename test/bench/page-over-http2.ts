import { startService } from '../support/running-service.ts';
import { startChildProgram } from './child-program.ts';
import { differentPages, fillPage, itemsPerPage } from './filled-page.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { createProcessorMeter, processorsOf, type ReadProcessors } from './processor-meter.ts';
import { portOf } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

const connections = 24;
/** More than there are readers, and few enough for the content service to remember them all. */
const pages = 48;

/**
 * Pages of 50 items of 2 KB out of the content service on SQLite, over HTTP/2
 * and the gateway in another process, against one process that has the items as
 * objects and makes JSON of them for each request: when all read the same page,
 * and when each reads another one.
 */
export async function measurePageOverHttp2(context: BenchContext): Promise<Measurement[]> {
  const { quick, load } = context;
  const service = await startService({
    deployment: { program: 'services/all/behind-gateway.fixture.ts', environment: {}, remove: async () => undefined },
    environment: { ITEM_WRITES_PER_MINUTE: '1000000' },
  });
  const reference = startChildProgram('stringify-server.ts');
  const readReference: ReadProcessors = async () => ({ reference: (await reference.ask('time')) as number });
  try {
    const { team, request, body } = await fillPage(context, service);
    const referencePort = (await reference.ask(JSON.parse(body.toString()))) as number;
    const measure = async (readers: string, requests: Uint8Array[]): Promise<Measurement> => {
      const meters = [createProcessorMeter(processorsOf(service)), createProcessorMeter(readReference)] as const;
      const durationMs = quick ? 300 : 2_000;
      const loads = [portOf(service), referencePort].map(
        (port) => () => load({ port, connections, requests, durationMs }),
      );
      for (const warmUp of loads) await warmUp();
      const [ours, theirs] = loads.map((each, index) => async () => {
        const { answers, milliseconds } = await meters[index].during(each);
        return (answers / milliseconds) * 1000;
      });
      return {
        name: '',
        unit: 'pages/s',
        goal: { atLeast: 0.8 },
        ...(await interleavedRounds(quick ? 3 : 7, ours, theirs)),
      };
    };
    return [await measure('', [request])];
  } finally {
    reference.end();
    await service.remove();
  }
}
