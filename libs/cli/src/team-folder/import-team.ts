import { join } from 'node:path';
import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { RpcError } from '@teammemory/client/rpc/rpc-error.ts';
import type { ItemImport, TeamRows } from '@teammemory/client/rpc/team-rows.ts';
import type { ZodType } from 'zod';
import { CliError } from '../cli-error.ts';
import { teamOfSlug } from './export-team.ts';
import { readFolderFile } from './folder-file.ts';
import {
  decisionLineSchema,
  folderVersion,
  itemLineSchema,
  linesName,
  type Manifest,
  manifestName,
  manifestSchema,
  projectLineSchema,
  type RowKind,
  rowKinds,
  scanLineSchema,
  snapshotLineSchema,
  taskLineSchema,
} from './format.ts';
import { itemOfLine } from './item-files.ts';
import { readJsonLines } from './json-lines.ts';

/** The service takes no more items at once. */
const itemsOfBatch = 200;
/** A million members have about half of it. */
const maxManifestBytes = 128 * 1024 * 1024;
/** Characters of items that wait for their batch, of all authors together. */
const waitingCharacters = 16 * 1024 * 1024;

/** What an import needs. */
export interface ImportTask {
  admin: AdminClient;
  /** Slug of the team that gets the rows. It is made if it does not exist. */
  team: string;
  folder: string;
  signal: AbortSignal;
  /** Called once, with the number of rows. */
  onStart(rows: number): void;
  /** Called with how many rows more were sent. */
  onRows(rows: number): void;
}

/** A row that the service did not take, such as an item of which the team has another version. */
export interface RefusedRow {
  kind: RowKind;
  id: string;
  code: string;
  detail: string;
}

/** What an import did. Rows that were there already are in neither `written` nor `refused`. */
export interface ImportReport {
  created_team: boolean;
  /** Handles of members that were added. */
  added_members: string[];
  written: { items: number; decisions: number; projects: number; scans: number; snapshots: number };
  refused: RefusedRow[];
}

/**
 * Brings the folder of an exported team into a team. The whole folder is read before anything is written. Nothing that the
 * team has is replaced, except scans and snapshots of the same commit or day, so that an import can be repeated.
 * Throws CliError `damaged_export`, `newer_export`, and RpcError.
 */
export async function importTeam(task: ImportTask): Promise<ImportReport> {
  const { admin, team, folder, signal } = task;
  const manifest = await checkedFolder(folder, signal);
  const { tasks: _, ...sent } = manifest.counts;
  task.onStart(Object.values(sent).reduce((sum, rows) => sum + rows, 0));
  const isNew = (await teamOfSlug(admin, team, signal)) === undefined;
  if (isNew) await admin.createTeam({ slug: team, name: manifest.team.name }, { signal });
  const { memberIds, added } = await addMembers(task, manifest);
  const report: ImportReport = {
    created_team: isNew,
    added_members: added,
    written: { items: 0, decisions: 0, projects: 0, scans: 0, snapshots: 0 },
    refused: [],
  };
  const rows = admin.teamRows(team);
  await importItems(task, rows, memberIds, report);
  await importEach(task, report, 'decisions', decisionLineSchema, {
    idOf: ({ decision_id }) => decision_id,
    store: ({ updated_by, ...decision }) => {
      const author = { handle: updated_by, memberId: memberIds.get(updated_by) };
      return rows.importDecision(author, decision, { signal });
    },
  });
  await importEach(task, report, 'projects', projectLineSchema, {
    idOf: ({ slug }) => slug,
    store: async ({ slug, name, brain_only }) => {
      // The others are made from the items that name them.
      if (!brain_only && name === slug) return false;
      await admin.projects(team).create({ slug, name }, { signal });
      return true;
    },
  });
  await importEach(task, report, 'scans', scanLineSchema, {
    idOf: ({ codebase, metrics }) => `${codebase.slug} ${metrics.head_sha}`,
    store: async (scan) => {
      await rows.importScan(scan, { signal });
      return true;
    },
  });
  await importEach(task, report, 'snapshots', snapshotLineSchema, {
    idOf: ({ member, date }) => `${member} ${date}`,
    store: async ({ provisional, ...snapshot }) => {
      const { spine, axes } = provisional ?? {};
      const placement = axes && { provisional: { axes, ...(spine === undefined ? {} : { spine }) } };
      await rows.importSnapshot({ ...snapshot, ...placement }, { signal });
      return true;
    },
  });
  return report;
}

const schemas: Record<RowKind, ZodType> = {
  items: itemLineSchema,
  decisions: decisionLineSchema,
  tasks: taskLineSchema,
  projects: projectLineSchema,
  scans: scanLineSchema,
  snapshots: snapshotLineSchema,
};

/** Reads all of a folder. Throws CliError `damaged_export` or `newer_export`. */
async function checkedFolder(folder: string, signal: AbortSignal): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const kind of rowKinds) {
    let lines = 0;
    for await (const row of readJsonLines(folder, linesName(kind), schemas[kind])) {
      signal.throwIfAborted();
      if (kind === 'items') await itemOfLine(folder, itemLineSchema.parse(row));
      lines += 1;
    }
    const promised = manifest.counts[kind];
    if (lines !== promised) {
      const detail = `has ${lines} lines instead of ${promised}. If you changed it, change counts in ${manifestName} too.`;
      throw new CliError('damaged_export', `${linesName(kind)} ${detail}`);
    }
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  const missing = 'is missing. Name a folder that tms export made.';
  const text = await readFolderFile(folder, manifestName, { maxBytes: maxManifestBytes, missing });
  let found: unknown;
  try {
    found = JSON.parse(text.toString());
  } catch {
    throw new CliError('damaged_export', `${path} is damaged.`);
  }
  const version = (found as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > folderVersion) {
    throw new CliError('newer_export', 'A newer version of tms made this folder. Update tms.');
  }
  const { success, data } = manifestSchema.safeParse(found);
  if (!success) throw new CliError('damaged_export', `${path} is damaged.`);
  return data;
}

/**
 * Adds the members that the team lacks. They have no keys. Only a team in which nobody ever had a key gets administrators in
 * this way: one that an interrupted import created is still such a team, one that somebody uses is not.
 */
async function addMembers({ admin, team, signal }: ImportTask, { members }: Manifest) {
  const { value: keys = [] } = await admin.listKeys(team, { signal }).next();
  const isUnused = keys.length === 0;
  const memberIds = new Map<string, string>();
  const added: string[] = [];
  for await (const page of admin.listMembers(team, { signal })) {
    for (const { handle, member_id } of page) memberIds.set(handle, member_id);
  }
  for (const { handle, role } of members) {
    if (memberIds.has(handle)) continue;
    const wanted = { team, handle, role: isUnused ? role : ('member' as const) };
    const member = await admin.addMember(wanted, { signal });
    memberIds.set(handle, member.member_id);
    added.push(handle);
  }
  return { memberIds, added };
}

/** Sends the items in batches of one author each. */
async function importItems(
  { folder, signal, onRows }: ImportTask,
  rows: TeamRows,
  memberIds: ReadonlyMap<string, string>,
  report: ImportReport,
): Promise<void> {
  const waiting = new Map<string, ItemImport[]>();
  let characters = 0;
  const send = async (handle: string) => {
    const items = waiting.get(handle) ?? [];
    waiting.delete(handle);
    if (items.length === 0) return;
    const author = { handle, memberId: memberIds.get(handle) };
    const { written, errors } = await rows.importItems(author, items, { signal });
    report.written.items += written;
    for (const { index, code, detail } of errors) {
      report.refused.push({ kind: 'items', id: items[index]?.row_key ?? '', code, detail });
    }
    onRows(items.length);
  };
  for await (const line of readJsonLines(folder, linesName('items'), itemLineSchema)) {
    const item = await itemOfLine(folder, line);
    const items = waiting.get(line.updated_by) ?? [];
    items.push(item);
    waiting.set(line.updated_by, items);
    characters += item.content.length;
    if (items.length >= itemsOfBatch) await send(line.updated_by);
    if (characters < waitingCharacters) continue;
    for (const handle of [...waiting.keys()]) await send(handle);
    characters = 0;
  }
  for (const handle of [...waiting.keys()]) await send(handle);
}

/** Codes of the service for a row that it does not take, after which the next row is tried. */
const refusals = new Set([
  'invalid_request',
  'contains_secret',
  'quota_exceeded',
  'unknown_member',
  'not_found',
  'resource_exhausted',
]);

/** Sends the rows of a file one by one. `store` returns whether the row was new. */
async function importEach<Row>(
  { folder, onRows }: ImportTask,
  report: ImportReport,
  kind: Exclude<RowKind, 'items' | 'tasks'>,
  schema: ZodType<Row>,
  { idOf, store }: { idOf(row: Row): string; store(row: Row): Promise<boolean> },
): Promise<void> {
  for await (const row of readJsonLines(folder, linesName(kind), schema)) {
    try {
      if (await store(row)) report.written[kind] += 1;
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      if (refusals.has(thrown.code)) {
        report.refused.push({ kind, id: idOf(row), code: thrown.code, detail: thrown.message });
      } else if (thrown.code !== 'already_exists') {
        throw thrown;
      }
    }
    onRows(1);
  }
}
