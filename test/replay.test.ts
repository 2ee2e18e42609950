import { describe, expect, test } from 'vitest';
import { partsAreSeparate } from './support/deployment/deployment.ts';
import { readEvents } from './support/http/events.ts';
import { changed, filledIn, removed, withUnknownMembers } from './support/recordings/answer-variants.ts';
import { differences } from './support/recordings/differences.ts';
import { type Exchange, type Recording, readRecordings } from './support/recordings/recording.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import type { RunningService, Team } from './support/service/running-service.ts';
import { sharedService } from './support/service/shared-service.ts';

// Empty is as good as unset: the limits that docs/contract.md names.
const service = sharedService({
  environment: {
    ITEM_WRITES_PER_MINUTE: '',
    QUESTIONS_PER_MINUTE: '',
    SCANS_PER_MINUTE: '',
    SNAPSHOTS_PER_MINUTE: '',
  },
});
const recordings = readRecordings();

describe('a client of the plain v1 contract gets the answers that were recorded', () => {
  test.for(recordings)('$name', async (recording) => {
    expect(await replay(recording, asRecorded)).toEqual([]);
  });
});

// What more a client sends ends in the gateway, whatever processes are behind it.
if (!partsAreSeparate) {
  describe('a client that sends more than the contract knows gets the same answers', () => {
    test.for(recordings)('$name', async (recording) => {
      expect(await replay(recording, withMore)).toEqual([]);
    });
  });
}

describe('an answer that lost or changed something recorded is found', () => {
  const bodies = recordings.flatMap(({ name, exchanges }) =>
    exchanges.map(({ does, answer }) => ({ name: `${name}: ${does}`, body: answer.body })),
  );

  test.for(bodies)('$name', ({ body }) => {
    const answered = filledIn(body);
    expect(differences(body, answered)).toEqual([]);
    expect(differences(body, withUnknownMembers(answered))).toEqual([]);
    for (const spoilt of [...removed(answered), ...changed(answered)]) {
      expect(differences(body, spoilt), JSON.stringify(spoilt)).not.toEqual([]);
    }
  });
});

/** How a client departs from the recorded requests. */
interface Dialect {
  body(recorded: unknown): unknown;
  path(recorded: string): string;
}

const asRecorded: Dialect = { body: (recorded) => recorded, path: (recorded) => recorded };
const withMore: Dialect = {
  body: withUnknownMembers,
  path: (recorded) => `${recorded}${recorded.includes('?') ? '&' : '?'}x_unknown=1`,
};

/** Sends a recording's requests in order, on a team of its own, and returns how the answers differ. */
async function replay(recording: Recording, dialect: Dialect): Promise<string[]> {
  const team = await service().createTeam();
  await prepare(service(), team, recording);
  const known = new Map<string, string>();
  const latest: Record<string, string> = {};
  const found: string[] = [];
  for (const exchange of recording.exchanges) {
    for (let time = 0; time < (exchange.times ?? 1); time += 1) {
      const answer = await send(team, exchange.request, latest, dialect);
      const { headers = {}, ...recorded } = exchange.answer;
      const answered = { ...answer, headers: Object.fromEntries(answer.headers) };
      found.push(...differences({ headers, ...recorded }, answered, known, exchange.does));
      Object.assign(latest, latestOf(answer.body));
    }
  }
  return found;
}

async function prepare(running: RunningService, { slug: team }: Team, { given }: Recording): Promise<void> {
  await asAdministrator(running, async (admin) => {
    for (const decision of given?.decisions ?? []) await admin.decisions(team).create(decision);
    for (const project of given?.projects ?? []) await admin.createProject({ team, ...project });
  });
}

async function send(
  team: Team,
  request: Exchange['request'],
  latest: Readonly<Record<string, string>>,
  dialect: Dialect,
) {
  const [method = '', path = ''] = request.line.split(' ');
  const target = dialect.path(path.replace(/<(\w+)>/, (_, name) => latest[name] ?? ''));
  const keys = { team: team.teamKey, external: team.externalKey, malformed: 'tms_no', none: undefined };
  const slugs = { own: team.slug, unknown: `${team.slug}-not`, none: undefined };
  const [key, slug] = [keys[request.key ?? 'team'], slugs[request.team ?? 'own']];
  const { body } = request;
  const response = await fetch(service().url + target, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(slug === undefined ? {} : { 'x-svc-team': slug }),
      ...(body === undefined ? {} : { 'content-type': request.type ?? 'application/json' }),
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' ? body : JSON.stringify(dialect.body(body)) }),
  });
  const text = await response.text();
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return {
    status: response.status,
    headers: response.headers,
    body: stream ? events(text) : JSON.parse(text),
  };
}

/** The events of a stream with the deltas put together: into how many an answer is cut is nobody's contract. */
function events(stream: string): unknown[] {
  const all = readEvents(stream);
  const others = all.filter(({ event }) => event !== 'delta');
  const text = all.flatMap(({ event, data }) => (event === 'delta' ? data.text : [])).join('');
  return [{ event: 'delta', data: { text } }, ...others];
}

/** What a client keeps of a page for the next one. */
function latestOf(body: Record<string, unknown>): Record<string, string> {
  const { next_cursor, items, tasks, decisions } = body;
  const [newest] = ([items, tasks, decisions].find(Array.isArray) ?? []).slice(-1);
  return {
    ...(next_cursor ? { next_cursor: `${next_cursor}` } : {}),
    ...(newest ? { updated_at: newest.updated_at } : {}),
  };
}
