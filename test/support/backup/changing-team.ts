import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { item } from '../http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from '../http/key-holder.ts';
import { asAdministrator } from '../service/as-administrator.ts';
import type { RunningService } from '../service/running-service.ts';

const itemsAtFirst = 400;
const itemsPerPush = 20;
/** Between two pushes of one writer. */
const pauseMs = 5;

/** A row of a list as the API gives it. */
export interface ListedRow {
  updated_at: string;
  tier?: string;
  audience?: string;
  [member: string]: unknown;
}

/** A team with rows of every kind, whose items can be changed all the time. */
export interface ChangingTeam extends TeamClients {
  /** Changes and removes items until it is stopped. */
  change(): { stop(): Promise<number> };
}

/** Fills a new team: items of both tiers with logs of tasks, decisions, a project, earlier versions and removed items. */
export async function changingTeam(service: RunningService): Promise<ChangingTeam> {
  const created = await newTeam(service);
  const { team } = created;
  for (let start = 0; start < itemsAtFirst; start += itemsPerPush) await push(team, start, 0);
  await push(team, 0, 1);
  await team.remove('notes/7.md');
  await asAdministrator(service, async (admin) => {
    await admin.createProject({ team: created.slug, slug: 'harbour', name: 'Harbour' });
    for (const audience of ['team', 'external'] as const)
      await admin.decisions(created.slug).create({ title: `For ${audience}`, body: 'Why.', audience });
  });
  await untilTasksAreMade(team);
  return {
    ...created,
    change() {
      let isStopped = false;
      let written = 0;
      const write = async (writer: number) => {
        for (let round = 2; !isStopped; round += 1) {
          const start = ((round * 7 + writer * 3) % (itemsAtFirst / itemsPerPush)) * itemsPerPush;
          await push(team, start, round * 10 + writer);
          written += itemsPerPush;
          await delay(pauseMs);
        }
      };
      const writing = Promise.all([0, 1, 2].map(write));
      return {
        async stop() {
          isStopped = true;
          await writing;
          return written;
        },
      };
    },
  };
}

async function push(team: KeyHolder, start: number, version: number): Promise<void> {
  const items = Array.from({ length: itemsPerPush }, (_, offset) => {
    const number = start + offset;
    const isLog = number % 50 === 0;
    const text = isLog ? `- [ ] task ${number} @ada\n` : `text ${number} ${'x'.repeat(1_500)}`;
    return item(
      isLog ? `logs/${number}-tasks.md` : `notes/${number}.md`,
      `${text} version ${isLog ? 0 : version}`,
      {
        tier: number % 3 === 0 ? 'external' : 'team',
        frontmatter: { project: 'harbour', number },
      },
    );
  });
  const { status, body } = await team.push(...items);
  if (status !== 200) throw new Error(`a push was answered ${status}: ${JSON.stringify(body)}`);
}

/**
 * Waits until tasks are made from all items, which happens when somebody reads them. That takes long after a restore,
 * which brings every item at once: a reader gets 503 when its time is up, and the work goes on.
 */
export const untilTasksAreMade = (holder: KeyHolder) =>
  eventually('tasks are made', async () => (await holder.call('/tasks')).status === 200, {
    withinMs: 60_000,
    everyMs: 200,
  });

/** All rows of a list, removed ones included, as the holder of a key sees it. */
export async function wholeList(holder: KeyHolder, list: string): Promise<ListedRow[]> {
  const rows: ListedRow[] = [];
  let cursor = '';
  for (;;) {
    const { status, body } = await holder.call(
      `/${list}?limit=200&include_deleted=true${cursor && `&cursor=${cursor}`}`,
    );
    if (status !== 200) throw new Error(`a list was answered ${status}: ${JSON.stringify(body)}`);
    rows.push(...body[list]);
    if (!body.has_more) return rows;
    cursor = encodeURIComponent(body.next_cursor);
  }
}

/**
 * The items as they were at a time: their present state, or the newest version that is not after it.
 */
export async function itemsAt(
  team: KeyHolder,
  time: string,
  isWanted: (row: ListedRow) => boolean = () => true,
): Promise<ListedRow[]> {
  const found: ListedRow[] = [];
  for (const row of (await wholeList(team, 'items')).filter(isWanted)) {
    if (row.updated_at <= time) {
      found.push(row);
      continue;
    }
    const path = `/items/${encodeURIComponent(row.row_key as string)}/versions`;
    const { body } = await team.call(`${path}?limit=200`);
    const version = body.versions.find((each: ListedRow) => each.updated_at <= time);
    if (version.deleted) {
      found.push({ row_key: row.row_key, updated_at: version.updated_at, deleted: true });
      continue;
    }
    const {
      revision: _,
      written_with: _means,
      ...asListed
    } = (await team.call(`${path}/${version.revision}`)).body;
    found.push(asListed);
  }
  return found.sort((left, right) => (left.updated_at < right.updated_at ? -1 : 1));
}

/** The same team on another service that has its data. */
export function onService(
  team: TeamClients,
  service: RunningService,
): Pick<TeamClients, 'team' | 'external'> {
  return {
    team: keyHolder(service, team, team.teamKey),
    external: keyHolder(service, team, team.externalKey),
  };
}
