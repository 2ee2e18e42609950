import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { entryFrom } from '@teammemory/audit/audit-entry.ts';
import type { AuditStore } from '@teammemory/audit/audit-store.ts';
import { verifyLog } from '@teammemory/audit/verify-log.ts';
import type { BackupRow, BackupStore } from '@teammemory/backup/backup-store.ts';
import { createRestore } from '@teammemory/backup/restore.ts';
import { openAnalyticsStores } from '../../services/analytics/store/open-stores.ts';
import { openAuthStores } from '../../services/auth/store/open-stores.ts';
import { openContentStores } from '../../services/content/store/open-stores.ts';
import { openQueryStores } from '../../services/query/store/open-stores.ts';
import type { Found } from './expectation.ts';
// What can be made again is not read after a power loss, for good reason.
import './after-reboot.ts';

const files = ['analytics', 'auth', 'content', 'query'].map((name) => `${name}.sqlite`);

/** What is stored, and sentences about what could not be right whatever was asked for. */
export interface Stores extends Found {
  faults: string[];
}

/**
 * Opens the SQLite files of a data directory by the code of the services, as a start does, reads them and closes them, and
 * then looks whether SQLite finds them whole. `erased` are words that must be gone.
 */
export async function readStores(directory: string, erased: Iterable<string>): Promise<Stores> {
  const faults: string[] = [];
  const { analytics, auth, content, query } = await openAll(directory);
  const all = [analytics, auth, content, query];
  const audited = new Map<string, number>();
  const states = new Map<string, string>();
  let spent = 0;
  try {
    for (const [name, audit] of Object.entries({ auth: auth.audit, content: content.audit })) {
      const { problem } = await verifyLog(audit);
      if (problem !== undefined) faults.push(`the audit log of ${name}: ${problem}`);
      await countActs(audit, audited);
    }
    for (const { backup } of all)
      for (const [table, rows] of await tablesOf(backup))
        for (const row of rows)
          for (const [subject, state] of stateOf(table, row)) states.set(subject, state);
    for (const teamId of teamIdsOf(await tablesOf(auth.backup))) {
      const standing = await query.usage.standing(teamId, new Date().toISOString().slice(0, 10), undefined);
      spent += standing.spent + standing.reserved;
    }
  } finally {
    for (const stores of all) await stores.close();
  }
  faults.push(...faultsOfFiles(directory, erased));
  return { states, audited, spent, faults };
}

async function openAll(directory: string) {
  const storage = { engine: 'sqlite', directory } as const;
  const [analytics, auth, content, query] = await Promise.all([
    openAnalyticsStores(storage),
    openAuthStores(storage),
    openContentStores(storage),
    openQueryStores(storage),
  ]);
  return { analytics, auth, content, query };
}

/** How far a restore has come in the stores of a service. */
export interface Restored {
  rows: Record<string, number>;
  /** Whether there is nothing that a restore would write. */
  isEmpty: boolean;
  /** Undefined: none was begun. */
  isFinished: boolean | undefined;
}

/**
 * Opens the stores of a data directory as a start does, and reads how far a restore has come there. Where it is unfinished,
 * another one is begun, as an operator would do.
 * @throws Error where that is refused, or leaves something of the first.
 */
export async function readRestored(directory: string): Promise<Map<string, Restored>> {
  const all = await openAll(directory);
  const restored = new Map<string, Restored>();
  try {
    for (const [service, { backup }] of Object.entries(all)) {
      const record = await backup.records.read();
      const isFinished = record?.isFinished;
      restored.set(service, { rows: await countRows(backup), isEmpty: await isEmpty(backup), isFinished });
      if (isFinished !== false) continue;
      // By then the first one counts as interrupted.
      const restore = await createRestore(backup, () => Date.now() + 60_000);
      await restore.begin(randomUUID());
      if (!(await isEmpty(backup))) throw new Error(`a second restore of ${service} begins with rows`);
    }
  } finally {
    for (const stores of Object.values(all)) await stores.close();
  }
  return restored;
}

async function isEmpty({ sections }: BackupStore): Promise<boolean> {
  for (const section of sections) if (!(await section.isEmpty())) return false;
  return true;
}

async function countRows(backup: BackupStore): Promise<Record<string, number>> {
  const tables = await tablesOf(backup);
  return Object.fromEntries([...tables].map(([name, rows]) => [name, rows.length]));
}

async function countActs(audit: AuditStore, counts: Map<string, number>): Promise<void> {
  for (let after = 0; ; ) {
    const entries = await audit.list(after, 500);
    for (const { text } of entries) {
      const { action, outcome } = entryFrom(text);
      if (outcome === 'done') counts.set(action, (counts.get(action) ?? 0) + 1);
    }
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}

async function tablesOf({ sections }: BackupStore): Promise<Map<string, BackupRow[]>> {
  const tables = new Map<string, BackupRow[]>();
  for (const section of sections) {
    const pages = await Array.fromAsync(section.read(new AbortController().signal));
    tables.set(section.name, pages.flat());
  }
  return tables;
}

const teamIdsOf = (tables: Map<string, BackupRow[]>) =>
  (tables.get('teams') ?? []).map((row) => String(row.team_id));

/** What a row says of one of the things that the workload makes. */
function stateOf(table: string, row: BackupRow): [subject: string, state: string][] {
  switch (table) {
    case 'teams':
      return [[`team ${row.slug}`, 'there']];
    case 'keys':
      return [[`key ${row.key_id}`, row.revoked_at === null ? 'active' : 'revoked']];
    case 'items':
      return [[`item ${row.row_key}`, row.deleted === true ? removalOf(row) : String(row.checksum)]];
    case 'decisions': {
      const isRemoved = row.deleted === true;
      const title = () => JSON.parse(Buffer.from(row.json as Uint8Array).toString()).title;
      return [[`decision ${row.row_key}`, isRemoved ? 'removed' : title()]];
    }
    default:
      return [];
  }
}

const removalOf = (row: BackupRow) => (row.erased_from === null ? 'removed' : 'erased');

function faultsOfFiles(directory: string, erased: Iterable<string>): string[] {
  const faults: string[] = [];
  for (const file of files) {
    const database = new DatabaseSync(join(directory, file));
    faults.push(...faultsOfFile(file, () => database.prepare('PRAGMA integrity_check').all()));
    database.close();
  }
  const content = readFileSync(join(directory, 'content.sqlite'));
  for (const word of erased)
    if (content.includes(word)) faults.push(`${word} was erased, and is in the file`);
  return faults;
}

function faultsOfFile(name: string, check: () => Record<string, unknown>[]): string[] {
  try {
    const found = check()
      .map(({ integrity_check }) => integrity_check)
      .join(', ');
    return found === 'ok' ? [] : [`${name}: ${found}`];
  } catch (error) {
    return [`${name}: ${error}`];
  }
}
