import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Item } from '@teammemory/client/item.ts';
import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import type { FollowedList, FollowedRow, TeamRows } from '@teammemory/client/rpc/team-rows.ts';
import { buildVersion } from '@teammemory/config/product-version.ts';
import { syncFolder } from '@teammemory/sync/state/file-system.ts';
import { CliError, usageError } from '../cli-error.ts';
import { folderVersion, linesName, type Manifest, manifestName, type RowKind, readme } from './format.ts';
import { createItemFiles } from './item-files.ts';
import { createJsonLines, type JsonLinesWriter } from './json-lines.ts';

const ownerOnly = 0o600;
const ownerOnlyFolder = 0o700;
/** How often the end of a list may move on while its last rows are read. */
const maxAttemptsAtEnd = 1_000;

/** What an export needs. */
export interface ExportTask {
  admin: AdminClient;
  /** Slug. */
  team: string;
  /** The folder to make. It must not exist, or be empty. */
  folder: string;
  now: Date;
  signal: AbortSignal;
  /** Called with how many rows more were written. */
  onRows(rows: number): void;
}

/**
 * Writes everything of a team into a folder, which gets its name when it is whole: beside it lies `.NAME.partial-…`
 * until then. Each list is read to its end, so it is the list of one moment.
 */
export async function exportTeam(task: ExportTask): Promise<Manifest> {
  await refuseUnlessEmpty(task.folder);
  const partial = join(dirname(task.folder), `.${basename(task.folder)}.partial-${randomUUID().slice(0, 8)}`);
  await mkdir(partial, { mode: ownerOnlyFolder });
  try {
    const manifest = await writeTeam(task, partial);
    await rmdir(task.folder).catch(() => undefined);
    await rename(partial, task.folder);
    await syncFolder(dirname(task.folder));
    return manifest;
  } catch (thrown) {
    await rm(partial, { recursive: true, force: true });
    throw thrown;
  }
}

async function refuseUnlessEmpty(folder: string): Promise<void> {
  // A link to an empty folder could not be replaced by the whole export at its end.
  if ((await lstat(folder).catch(() => undefined))?.isSymbolicLink()) {
    throw usageError(`${folder} is a link. Name a folder that does not exist yet.`);
  }
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw usageError(`${folder} is not a folder.`);
  });
  if (names.length > 0) throw usageError(`${folder} is not empty. Name a folder that does not exist yet.`);
}

async function writeTeam(task: ExportTask, root: string): Promise<Manifest> {
  const { admin, team, signal, onRows } = task;
  const options = { signal };
  const rows = admin.teamRows(team);
  const { slug, name } = await findTeam(admin, team, signal);
  const members: Manifest['members'] = [];
  for await (const page of admin.listMembers(team, options)) {
    members.push(...page.map(({ handle, role }) => ({ handle, role })));
  }
  await rows.catchUp(options);
  const counts = {} as Manifest['counts'];
  const write = async <Result>(kind: RowKind, work: (lines: JsonLinesWriter) => Promise<Result>) => {
    const lines = await createJsonLines(join(root, linesName(kind)));
    try {
      const result = await work(lines);
      counts[kind] = await lines.finish();
      return result;
    } finally {
      await lines.close();
    }
  };

  const files = createItemFiles(root);
  const positions = {
    items: await write('items', (lines) =>
      follow(task, rows, 'items', async ({ id, json }) => {
        if (json !== undefined) return lines.put(id, await files.put(json as unknown as Item));
        lines.remove(id);
        await files.remove(id);
      }),
    ),
    decisions: await write('decisions', (lines) =>
      follow(task, rows, 'decisions', async ({ id, json }) => {
        // A hidden decision looks like a removed one in the list.
        const row = json === undefined ? await rows.findDecision(id, options) : { ...json, hidden: false };
        if (row === undefined) lines.remove(id);
        else await lines.put(id, row);
      }),
    ),
    tasks: await write('tasks', (lines) =>
      follow(task, rows, 'tasks', async ({ id, json }) => {
        if (json === undefined) lines.remove(id);
        else await lines.put(id, json);
      }),
    ),
  };
  await write('projects', async (lines) => {
    for await (const page of rows.listProjects(options)) {
      for (const project of page) await lines.put(project.slug, project);
      onRows(page.length);
    }
  });
  await write('scans', async (lines) => {
    for await (const scan of rows.listScans(options)) {
      await lines.put(`${scan.codebase.slug} ${scan.metrics.head_sha}`, scan);
      onRows(1);
    }
  });
  await write('snapshots', async (lines) => {
    for (const { handle } of members) {
      for await (const snapshot of rows.listSnapshots(handle, options)) {
        await lines.put(`${handle} ${snapshot.metric} ${snapshot.date}`, snapshot);
        onRows(1);
      }
    }
  });
  const manifest: Manifest = {
    format: 'team-memory-export',
    version: folderVersion,
    product_version: buildVersion,
    exported_at: task.now.toISOString(),
    team: { slug, name },
    members,
    positions,
    counts,
  };
  await writeFile(join(root, 'README.md'), readme, { mode: ownerOnly });
  await writeFile(join(root, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, {
    mode: ownerOnly,
    flush: true,
  });
  return manifest;
}

/** Returns a team by its slug. Throws CliError `not_found`. */
async function findTeam(admin: AdminClient, slug: string, signal: AbortSignal) {
  const team = await teamOfSlug(admin, slug, signal);
  if (team === undefined) throw new CliError('not_found', `There is no team ${slug}.`);
  return team;
}

/** Returns a team by its slug, or undefined. */
export async function teamOfSlug(admin: AdminClient, slug: string, signal: AbortSignal) {
  for await (const page of admin.listTeams({ signal })) {
    const team = page.find((each) => each.slug === slug);
    if (team !== undefined) return team;
  }
  return undefined;
}

/**
 * Reads a list until nothing stands behind the last row that was read, and returns that position. A row that changes
 * meanwhile moves to the end and comes again.
 */
async function follow(
  { signal, onRows }: ExportTask,
  rows: TeamRows,
  list: FollowedList,
  take: (row: FollowedRow) => Promise<void>,
): Promise<number> {
  let position = 0;
  let attempts = 0;
  let firstHead: number | undefined;
  for (;;) {
    const page = await rows.readRows(list, position, { signal });
    firstHead ??= page.headSeq;
    for (const row of page.rows) await take(row);
    onRows(page.rows.length);
    position = page.rows.at(-1)?.seq ?? position;
    if (position >= page.headSeq) return position;
    if (position >= firstHead) attempts += 1;
    if (attempts > maxAttemptsAtEnd) {
      throw new CliError(
        'unavailable',
        `The ${list} change faster than they can be read. Try again when less is written.`,
      );
    }
  }
}
