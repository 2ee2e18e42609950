import type { RunningService } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import { startChildProgram } from './child-program.ts';
import { differentPages, type FilledPage, fillPage, itemsPerPage } from './filled-page.ts';
import type { LoadResult } from './load-generator.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { type ProcessorTime, processorsOf } from './processor-time.ts';
import { benchItem, portOf, requestBytes } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

/** Connections of followers. */
const followers = 4;
/** Pulls after each push. */
const pullsPerPush = 8;
/**
 * Pages of one round. Their number is fixed, not their time: on a busy machine a process works on its own account while
 * it waits, and few pages would have to pay for it.
 */
const pagesOf = ({ quick }: BenchContext) => (quick ? 200 : 1_000);

/** A third of the ratios that were measured before fresh pages were made cheaper. */
const goals = { afterPush: { atMost: 2.8 }, firstRead: { atMost: 10.9 } };

/** Reads the processor time of one side so far, in milliseconds by process. */
type Processors = () => Promise<ProcessorTime>;

/**
 * The processor time of a page of 50 items of 2 KB right after a push, in one process: one push of one item, then eight
 * pulls, over four connections. Once every pull asks for a page of its own, and once all ask for the same page.
 * Reference: a process that makes JSON of the same items for each request.
 */
export function measurePagesAfterPush(context: BenchContext): Promise<Measurement[]> {
  return besideStringify(context, {}, async (service, page, stringifyMs) => {
    const afterPush = async (which: string, pulls: Uint8Array[], goal: Measurement['goal']) => {
      // The first of each item have their texts already.
      let pushed = itemsPerPage;
      const nextPushes = () =>
        Array.from({ length: pagesOf(context) / pullsPerPush }, () => pushOf(page, pushed++));
      const ours = async () => {
        const pushes = nextPushes();
        const mixed = nextPushes().flatMap((push) => [push, ...pulls]);
        const pushMs = await perAnswerMs(context, service, pushes);
        const bothMs = await perAnswerMs(context, service, mixed);
        return (bothMs * (1 + pullsPerPush) - pushMs) / pullsPerPush;
      };
      return measured(
        context,
        `${which} of ${itemsPerPage} items right after a push`,
        goal,
        ours,
        stringifyMs,
      );
    };
    return [
      await afterPush('a page', differentPages(page.team, pullsPerPush), goals.afterPush),
      await afterPush('the same page', Array(pullsPerPush).fill(page.request), undefined),
    ];
  });
}

/**
 * The processor time of a page of 50 items of 2 KB that nobody has read before, gateway and content in a process each
 * with HTTP/2 between them. Reference: a process that makes JSON of the same items for each request.
 */
export function measureFirstPages(context: BenchContext): Promise<Measurement[]> {
  const program = 'services/all/behind-gateway.fixture.ts';
  const deployment = { program, environment: {}, remove: async () => undefined };
  return besideStringify(context, { deployment }, async (service, { team }, stringifyMs) => {
    let from = 0;
    const ours = () => {
      from += pagesOf(context);
      return perAnswerMs(context, service, differentPages(team, pagesOf(context), from));
    };
    const name = `a page of ${itemsPerPage} items read for the first time, over HTTP/2`;
    return [await measured(context, name, goals.firstRead, ours, stringifyMs)];
  });
}

/** Starts the service with one page of items, and the reference with the same page. */
async function besideStringify(
  context: BenchContext,
  options: Parameters<typeof startBenchService>[0],
  measure: (
    service: RunningService,
    page: FilledPage,
    stringifyMs: () => Promise<number>,
  ) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const service = await startBenchService(options);
  const stringify = startChildProgram('stringify-server.ts');
  try {
    const page = await fillPage(context, service);
    const port = (await stringify.ask(JSON.parse(page.body.toString()))) as number;
    const processors = async () => (await stringify.ask('processor time')) as ProcessorTime;
    const load = () => pullLoad(context, port, Array(pagesOf(context)).fill(page.request));
    return await measure(service, page, () => costMs(processors, load));
  } finally {
    stringify.end();
    await service.remove();
  }
}

async function measured(
  { quick }: BenchContext,
  what: string,
  goal: Measurement['goal'],
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Measurement> {
  await interleavedRounds(1, ours, theirs);
  return {
    name: `processor time of ${what}, against JSON.stringify`,
    unit: 'ms/page',
    ...(goal === undefined ? {} : { goal }),
    ...(await interleavedRounds(quick ? 3 : 7, ours, theirs)),
  };
}

function perAnswerMs(
  context: BenchContext,
  service: RunningService,
  requests: Uint8Array[],
): Promise<number> {
  return costMs(processorsOf(service), () => pullLoad(context, portOf(service), requests));
}

/** Returns the processor time of an answer, of all processes of a side together. */
async function costMs(processors: Processors, load: () => Promise<LoadResult>): Promise<number> {
  const before = sum(await processors());
  const { answers } = await load();
  return (sum(await processors()) - before) / answers;
}

function sum(time: ProcessorTime): number {
  return Object.values(time).reduce((total, milliseconds) => total + milliseconds, 0);
}

/** Sends each request once. */
function pullLoad({ load }: BenchContext, port: number, requests: Uint8Array[]): Promise<LoadResult> {
  return load({ port, connections: followers, requests });
}

/** A push of one item of the page with a text that it did not have before. */
function pushOf({ team }: FilledPage, number: number): Uint8Array {
  const item = { ...benchItem(number), row_key: benchItem(number % itemsPerPage).row_key };
  return requestBytes(team, 'POST', '/api/v1/items', { items: [item] });
}
