import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { makePrivateFile } from '@teammemory/sqlite/private-file.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import { passageForm } from '../domain/passages/passage-store.ts';
import { analyze } from '../domain/text/analyzer.ts';
import { languageOf } from '../domain/text/languages.ts';

/** Raised whenever an index is kept in another way, so that no file of another version is read. */
const version = 12;
/** A reader in another thread holds a file for some milliseconds. */
const busyTimeoutMs = 5_000;
/** With a quarter of it an index of many different words takes twice as long to build. */
const cacheKibibytes = 16_384;

/**
 * Terms are parted by blanks, and are what the index finds: letters, digits, marks and underscores, in lower case. All
 * characters beyond ASCII are parts of terms.
 */
const tokenizer = `tokenize="ascii tokenchars '_'"`;

const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS counts (
    view TEXT, name TEXT, number INTEGER NOT NULL, PRIMARY KEY (view, name)
  ) WITHOUT ROWID;
  -- What an item says of itself is JSON, in which hostile strings are data.
  CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, row_key TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, tier TEXT NOT NULL, kind TEXT NOT NULL,
    language TEXT NOT NULL, said TEXT NOT NULL, in_team INTEGER NOT NULL, in_external INTEGER NOT NULL,
    -- Title and path as FindItems reads them; null for what it does not find.
    name TEXT,
    -- The day by which it wants to be checked again, and the id of who wrote it last, both null where no day is known.
    check_by TEXT, writer TEXT,
    skipped_team INTEGER NOT NULL, skipped_external INTEGER NOT NULL, waits INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS waiting_items ON items (id) WHERE waits = 1;
  CREATE INDEX IF NOT EXISTS projects ON items (id) WHERE kind = 'project';
  CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY, item INTEGER NOT NULL, ordinal INTEGER NOT NULL, kept TEXT NOT NULL, head TEXT NOT NULL,
    body TEXT NOT NULL, in_team INTEGER NOT NULL, in_external INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS passages_of_items ON passages (item, ordinal);
  CREATE TABLE IF NOT EXISTS rows (
    kind TEXT, id TEXT, kept TEXT NOT NULL, in_team INTEGER NOT NULL, in_external INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS rows_in_external ON rows (kind) WHERE in_external = 1;
  CREATE TABLE IF NOT EXISTS vectors (
    passage INTEGER PRIMARY KEY, scale REAL NOT NULL, numbers BLOB NOT NULL, in_team INTEGER NOT NULL,
    in_external INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS vectors_in_external ON vectors (passage) WHERE in_external = 1;
  ${tiers
    .map(
      (view) => `
  CREATE INDEX IF NOT EXISTS ${view}_names ON items (name) WHERE in_${view} = 1 AND name IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${view}_checks ON items (check_by, row_key, writer)
    WHERE in_${view} = 1 AND check_by IS NOT NULL;
  CREATE VIRTUAL TABLE IF NOT EXISTS ${view}_terms
    USING fts5(head, body, content='passages', content_rowid='id', ${tokenizer});
  CREATE VIRTUAL TABLE IF NOT EXISTS ${view}_vocabulary USING fts5vocab(${view}_terms, 'row');
  CREATE TABLE IF NOT EXISTS ${view}_words (
    word TEXT PRIMARY KEY, reversed TEXT NOT NULL, passages INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ${view}_word_ends ON ${view}_words (reversed);`,
    )
    .join('')}
`;

/** Thrown where a file has what is never written there. */
export class IndexDamaged extends Error {}

/**
 * SQLite's primary codes for a file that is damaged, foreign or gone: it cannot be written, read or opened, is malformed,
 * contradicts itself, or is no database.
 */
const faultsOfFiles: readonly number[] = [8, 10, 11, 14, 19, 26];

/** How SQLite says, under its general code, that tables are not as we make them. */
const foreignTables = /^(?:no such|unrecognized option|invalid fts5 file format|malformed)/;

/** Whether an error is the fault of a file, so that it has to be made again. Of a fault of ours the next file has it too. */
export function isDamage(error: unknown): boolean {
  if (error instanceof IndexDamaged) return true;
  const { errcode, message } = error as { errcode?: number; message?: string };
  if (errcode === undefined) return false;
  return faultsOfFiles.includes(errcode & 0xff) || foreignTables.test(message ?? '');
}

/**
 * Reads JSON that a file has.
 * @throws IndexDamaged where it is none.
 */
export function keptJson<Kept>(text: unknown): Kept {
  try {
    return JSON.parse(String(text)) as Kept;
  } catch (cause) {
    throw new IndexDamaged('what an index keeps is no JSON', { cause });
  }
}

/** The file of a team's index, open. */
export interface IndexDatabase {
  /** The statement of this text, prepared once. */
  sql(text: string): StatementSync;
  exec(text: string): void;
  isInTransaction(): boolean;
  close(): void;
}

/**
 * Opens a file, and with `isMade` creates it and its tables where they are missing, for this user alone. It can be made
 * again from other data, so nothing that is written waits for the disk.
 * @throws any error where it cannot be opened, or is none.
 */
export function openIndexDatabase(path: string, { isMade = true } = {}): IndexDatabase {
  if (isMade && path !== ':memory:') makePrivateFile(path);
  const database = new DatabaseSync(path);
  const statements = new Map<string, StatementSync>();
  try {
    database.exec(
      `PRAGMA busy_timeout=${busyTimeoutMs}; PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL;
       PRAGMA secure_delete=ON; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-${cacheKibibytes};`,
    );
    const { made } = database.prepare('SELECT count(*) AS made FROM sqlite_schema').get() as { made: number };
    if (made === 0 && isMade) database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    sql: (text) => statements.getOrInsertComputed(text, () => database.prepare(text)),
    exec: (text) => database.exec(text),
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
  };
}

const sample =
  "Backups of maxBodyBytes, MAX_BODY_BYTES & l'été — running, generalization's 日本語の本 данные 42nd";

/** Of other languages, each known by its stop words. */
const foreignSamples = [
  'Die Rechnungen der Kunden werden nicht vor dem Umzug verschickt, aber die Größe ist bekannt.',
  "Les dépenses de l'équipe sont validées par la responsable avant qu'elles ne soient remboursées.",
  'Las copias de seguridad se hacen cada noche y no se guardan para siempre en los servidores.',
  'Le spese di viaggio non sono rimborsate prima che la richiesta sia approvata dall’ufficio.',
  'De facturen van onze klanten worden niet voor het einde van de maand verstuurd.',
];

/**
 * Returns a fingerprint that differs where a file is of no use: between programs whose indexes differ in their form, in
 * that of the rows or in how texts are cut into words; and after the machine was started anew, because what was written
 * then may not have reached the disk.
 */
export function programFingerprint(startOfMachine: string): string {
  const { icu = '', unicode = '' } = process.versions;
  const samples = [sample, ...foreignSamples];
  const analysis = crc32(JSON.stringify(samples.map((text) => analyze(text, languageOf(text)))));
  return [version, passageForm, icu, unicode, analysis, startOfMachine].join(' ');
}
