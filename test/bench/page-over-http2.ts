import { startService } from '../support/running-service.ts';
import { startChildProgram } from './child-program.ts';
import { compareLoads } from './compare-loads.ts';
import { differentPages, fillPage, itemsPerPage } from './filled-page.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { type ProcessorTime, processorsOf } from './processor-time.ts';
import { portOf } from './requests.ts';

const connections = 24;
const goal = { atLeast: 0.8 };
/** More than there are readers, and few enough for the gateway to keep them all. */
const pagesKept = 48;
/** More than are read in one round. */
const pagesOfRound = 2_000;

/**
 * Pages of 50 items of 2 KB out of the content service on SQLite, through HTTP/2
 * to the gateway in another process, against one process that holds the items as
 * objects and makes JSON of them for each request: when all read the same page,
 * when each reads another one, and when nobody has read theirs before.
 */
export async function measurePageOverHttp2(context: BenchContext): Promise<Measurement[]> {
  const { quick, load } = context;
  const service = await startService({
    deployment: {
      program: 'services/all/behind-gateway.fixture.ts',
      environment: { ITEM_WRITES_PER_MINUTE: '1000000' },
      remove: async () => undefined,
    },
  });
  const stringify = startChildProgram('stringify-server.ts');
  try {
    const { team, request, body } = await fillPage(context, service);
    const stringifyPort = (await stringify.ask(JSON.parse(body.toString()))) as number;
    const measure = async (which: string, requests: () => Uint8Array[]): Promise<Measurement> => {
      const loadOf = (port: number) => () =>
        load({ port, connections, requests: requests(), durationMs: quick ? 300 : 2_000 });
      const ours = { load: loadOf(portOf(service)), processors: processorsOf(service) };
      const theirs = {
        load: loadOf(stringifyPort),
        processors: async () => (await stringify.ask('processor time')) as ProcessorTime,
      };
      return {
        name: `${which} of ${itemsPerPage} items over HTTP/2, ${connections} connections, against JSON.stringify`,
        unit: 'pages/s',
        ...(await compareLoads(quick ? 3 : 7, ours, theirs)),
      };
    };
    let read = pagesKept;
    const nextPages = () => {
      read += pagesOfRound;
      return differentPages(team, pagesOfRound, read);
    };
    return [
      { ...(await measure('the same page', () => [request])), goal },
      { ...(await measure('different pages', () => differentPages(team, pagesKept))), goal },
      await measure('pages read for the first time,', nextPages),
    ];
  } finally {
    stringify.end();
    await service.remove();
  }
}
