import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BystanderAction,
  bystanderBoundMs,
  printFigures,
  startBystander,
} from '../support/attacks/bystander.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

const passages = 20_000;
const itemsPerPush = 200;

let service: StartedService;
let storming: TeamClients;
let other: TeamClients;

beforeAll(async () => {
  service = await startService({
    environment: {
      ITEM_WRITES_PER_MINUTE: '1000000',
      QUESTIONS_PER_MINUTE: '1000000',
      SEARCHES_PER_MINUTE: '1000000',
    },
  });
  [storming, other] = [await newTeam(service), await newTeam(service)];
  for (let start = 0; start < passages; start += itemsPerPush) {
    const notes = Array.from({ length: itemsPerPush }, (_, place) => noteOf(start + place));
    const { status } = await storming.team.push(
      ...notes.map((text, place) => item(`n/${start + place}.md`, text)),
    );
    expect(status).toBe(200);
  }
  await other.team.push(item('notes/ferry.md', 'The ferry leaves at nine.'));
  // To index so many takes longer than a client waits on a slow machine.
  for (const { team } of [storming, other])
    await eventually('an index', () => team.ask('When does the ferry leave?').catch(() => undefined), {
      withinMs: 120_000,
    });
}, 180_000);
afterAll(() => service.remove());

/** A passage of 120 words of a vocabulary of 50,000. */
function noteOf(number: number): string {
  const words = Array.from({ length: 120 }, (_, place) => `w${((number + 1) * (place + 1) * 7919) % 50_021}`);
  return `${words.join(' ')}.`;
}

/** How a team asks. */
type Send = (q: string) => Promise<Response>;

const storms: [string, number, (number: number) => string, Send?][] = [
  ['950 searches for 50 passages at once', 950, noteOf, search],
  ['100 questions at once', 100, noteOf],
  ['950 questions at once', 950, noteOf],
  [
    '100 questions of 4,000 characters',
    100,
    (number) => `${noteOf(number)}${noteOf(number + 1)}`.repeat(3).slice(0, 4_000),
  ],
  [
    '100 questions of misspelt words',
    100,
    (number) =>
      Array.from({ length: 400 }, (_, place) => `wibbl${(number * 400 + place).toString(26)}`)
        .join(' ')
        .slice(0, 4_000),
  ],
];

const neighbours: [string, Partial<BystanderAction>][] = [
  ['pulls', { path: '/api/v1/items?limit=1' }],
  ['questions', { path: '/api/v1/query', body: { q: 'When does the ferry leave?' } }],
  ['GET /healthz', { path: '/healthz' }],
];

test.for(storms)(
  'one team asks %s: pulls and questions of another, and /healthz, go on; each question is answered or refused with Retry-After',
  { timeout: 180_000 },
  async ([name, count, questionOf, send = ask]) => {
    const bystanders = await Promise.all(
      neighbours.map(([, action]) => startBystander(service, other, action)),
    );
    const startedMs = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: count }, (_, number) => statusOf(send(questionOf(number)))),
    );
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    const answered = statuses.filter((status) => status === 200).length;
    for (const [place, [neighbour]] of neighbours.entries()) {
      const seen = await bystanders[place]?.stop();
      if (seen === undefined) continue;
      printFigures(
        `${name}, ${neighbour}`,
        seen,
        `p99 ${seen.p99Ms.toFixed(0)} ms, ${answered} answered in ${seconds} s`,
      );
      expect(seen.failures).toEqual([]);
      expect(seen.worstMs).toBeLessThan(bystanderBoundMs);
    }
    expect(new Set(statuses).difference(new Set([200, 503]))).toEqual(new Set());
    expect(answered).toBeGreaterThan(0);
  },
);

const headers = () => ({ authorization: `Bearer ${storming.teamKey}`, 'x-svc-team': storming.slug });

function ask(q: string): Promise<Response> {
  return fetch(`${service.url}/api/v1/query`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ q }),
  });
}

function search(q: string): Promise<Response> {
  const query = new URLSearchParams({ q, limit: '50' });
  return fetch(`${service.url}/api/v1/search?${query}`, { headers: headers() });
}

/** The status of one answer, which has been read to its end. */
async function statusOf(sent: Promise<Response>): Promise<number> {
  const response = await sent;
  await response.bytes();
  if (response.status === 503) expect(response.headers.get('retry-after')).not.toBeNull();
  return response.status;
}
