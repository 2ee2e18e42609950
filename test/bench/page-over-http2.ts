import { startBenchService } from './bench-service.ts';
import { startChildProgram } from './child-program.ts';
import { compareLoads } from './compare-loads.ts';
import { differentPages, fillPage, itemsPerPage, pageLoad, readers } from './filled-page.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { type ProcessorTime, processorsOf } from './processor-time.ts';
import { portOf } from './requests.ts';

const goal = { atLeast: 0.8 };
/** More than there are readers, and few enough for the gateway to keep them all. */
const pagesKept = 48;

/**
 * Pages of 50 items of 2 KB out of the content service on SQLite, through HTTP/2
 * to the gateway in another process, against one process that holds the items as
 * objects and makes JSON of them for each request: when all read the same page,
 * and when each reads another one.
 */
export async function measurePageOverHttp2(context: BenchContext): Promise<Measurement[]> {
  const service = await startBenchService({
    deployment: {
      program: 'services/all/behind-gateway.fixture.ts',
      environment: {},
      remove: async () => undefined,
    },
  });
  const stringify = startChildProgram('stringify-server.ts');
  try {
    const { team, request, body } = await fillPage(context, service);
    const stringifyPort = (await stringify.ask(JSON.parse(body.toString()))) as number;
    const measure = async (which: string, requests: () => Uint8Array[]): Promise<Measurement> => {
      const ours = { load: pageLoad(context, portOf(service), requests), processors: processorsOf(service) };
      const theirs = {
        load: pageLoad(context, stringifyPort, requests),
        processors: async () => (await stringify.ask('processor time')) as ProcessorTime,
      };
      return {
        name: `${which} of ${itemsPerPage} items over HTTP/2, ${readers} connections, against JSON.stringify`,
        unit: 'pages/s',
        ...(await compareLoads(context.quick ? 3 : 7, ours, theirs)),
      };
    };
    return [
      { ...(await measure('the same page', () => [request])), goal },
      { ...(await measure('different pages', () => differentPages(team, pagesKept))), goal },
    ];
  } finally {
    stringify.end();
    await service.remove();
  }
}
