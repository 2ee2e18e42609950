import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { type StartedService, startService } from './support/service/running-service.ts';

const root = join(import.meta.dirname, '..');
const rootUrl = `${pathToFileURL(root).href}/`;

let service: StartedService;
let team: TeamClients;
let inspector: Inspector;

beforeAll(async () => {
  service = await startService({ environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  inspector = await openInspector(service);
  await inspector.send('Profiler.enable');
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  team = await newTeam(service);
});
afterAll(async () => {
  inspector.close();
  await service.remove();
});

/** Sends the request of a walk for the n-th time. */
const requests: Record<string, (turn: number) => Promise<unknown>> = {
  'a push': (turn) => team.team.push(item(`notes/${turn}.md`, `We deploy every Tuesday at ${turn}.\n`)),
  // Other pages than before: one that is kept is not read again.
  'a page': (turn) => team.team.pull(`?limit=${turn}`),
  'a question': () => team.team.ask('When do we deploy?'),
};

test.for(Object.keys(requests))('a warm request runs what docs/architecture.md says of %s', async (walk) => {
  const named = filesOf(walk);
  expect(named.length).toBeGreaterThan(7);
  for (const turn of [1, 2]) await requests[walk]?.(turn);
  await inspector.send('Profiler.takePreciseCoverage');
  await requests[walk]?.(3);
  const { result } = (await inspector.send('Profiler.takePreciseCoverage')) as { result: ScriptCoverage[] };
  expect(result.filter(wasRun).map(({ url }) => url.replace(rootUrl, ''))).toEqual(
    expect.arrayContaining(named),
  );
});

/** The files of a walk in the table of the page, each with its folder. */
function filesOf(walk: string): string[] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, table = ''] = page.split('\n## Three walks\n');
  const [rows = ''] = table.split('\n## ');
  const [header = [], ...body] = [...rows.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const column = header.indexOf(walk);
  return body.flatMap(([folder = '', ...cells]) =>
    [...(cells[column - 1] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, file]) => folder.replaceAll('`', '') + file,
    ),
  );
}

interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/** Whether a function of the file was called; its top level runs when it is loaded. */
function wasRun({ functions }: ScriptCoverage): boolean {
  return functions.some(
    ({ functionName, ranges: [range] }) =>
      range !== undefined && range.count > 0 && (functionName !== '' || range.startOffset > 0),
  );
}

interface Inspector {
  send(method: string, params?: object): Promise<unknown>;
  close(): void;
}

/** Connects to the inspector of a program whose output says where that listens. */
async function openInspector({ output }: StartedService): Promise<Inspector> {
  const address = await eventually(
    'the address of the inspector',
    () => /ws:\/\/\S+/.exec(output().stderr)?.[0],
  );
  const socket = new WebSocket(address);
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  let calls = 0;
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        calls += 1;
        waiting.set(calls, resolve);
        socket.send(JSON.stringify({ id: calls, method, params }));
      }),
    close: () => socket.close(),
  };
}
