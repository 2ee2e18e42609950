import { statSync } from 'node:fs';
import { AppError } from '@teammemory/errors/app-error.ts';
import { isDiskFull } from '@teammemory/sqlite/disk-room.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import {
  type IndexedItem,
  type IndexHost,
  maxPassages,
  type PassageFilter,
  type SearchRequest,
  type SearchResult,
} from '../domain/index/index-host.ts';
import { type FeedPositions, isUpTo, noPositions } from '../domain/passages/feeds.ts';
import { type IndexedPassage, publicKeyOf, type Tier } from '../domain/passages/passage.ts';
import { passagesFromJson } from '../domain/passages/passage-store.ts';
import { cutItems } from '../domain/passages/passages.ts';
import { closestNotes, extractiveAnswer } from '../domain/quotes/extractive-answer.ts';
import { readQuestion } from '../domain/ranking/question.ts';
import { rowsAnswer } from '../domain/rows/rows-answer.ts';
import { searchView } from '../domain/views/search-view.ts';
import type { View } from '../domain/views/view.ts';
import { createEmbeddingBacklog, type EmbeddingBacklog } from './embedding-backlog.ts';
import { type IndexDatabase, isDamage, openIndexDatabase } from './index-database.ts';
import { bytesOfIndex, IndexDiskFull, indexPath, removeIndex } from './index-files.ts';
import { readHead, writeHead } from './index-head.ts';
import { findNames, findNotesToCheck } from './item-lists.ts';
import { coverageOf, storedView } from './stored-view.ts';
import { createTeamIndex, type TeamIndex } from './team-index.ts';
import { readFigures } from './view-counts.ts';

/** Files that a thread keeps open; each has its cache. */
const maxOpenFiles = 4;
/** The log of changes of a file is begun anew when it is longer; a large change makes a long one. */
const maxLogBytes = 2 ** 22;
/** SQLite's primary code for a file that somebody else has locked for too long. */
const busy = 5;

/** The settings of indexes in a thread. */
export interface IndexHostSettings {
  /** Prepared by `prepareIndexDirectory`. */
  directory: string;
  /** Size of all files together. A team's view takes half of it at most, and that of its guests a quarter. */
  maxBytes: number;
  /** Whether passages get vectors. */
  embeds: boolean;
  /** The model that makes them; '' for none. */
  embeddingModel: string;
  /** The `programFingerprint`, which all threads share. */
  program: string;
}

/** What a team's file takes, and what is missing in it. */
export interface TeamFigures {
  bytes: number;
  unembedded: number;
  missing: number;
}

/** What an `IndexHost` does, at once. */
export type LocalIndexHost = {
  [Name in Exclude<keyof IndexHost, 'search' | 'close'>]: (
    ...args: Parameters<IndexHost[Name]>
  ) => Awaited<ReturnType<IndexHost[Name]>>;
} & {
  search(teamId: string, request: SearchRequest): SearchResult | undefined;
  /** Closes all files. */
  close(): void;
  /** Closes a file that was removed, so that the disk has its space again. */
  release(path: string): void;
  /** Figures of a team's file; undefined where there is none. */
  figuresOf(teamId: string): TeamFigures | undefined;
};

interface OpenFile {
  database: IndexDatabase;
  index: TeamIndex;
  /** Tells the file from another of its name. */
  inode: number;
}

/** The files that a thread has open. Other threads may use the same files at the same time. */
class OpenFiles {
  readonly #settings: IndexHostSettings;
  /** Told for what a file was removed. */
  readonly #onDamage: (error: unknown) => void;
  /** By path; the one used last is the last. */
  readonly #open = new Map<string, OpenFile>();

  constructor(settings: IndexHostSettings, onDamage: (error: unknown) => void) {
    this.#settings = settings;
    this.#onDamage = onDamage;
  }

  closeAll(): void {
    for (const path of this.#open.keys()) this.close(path);
  }

  close(path: string): void {
    this.#open.get(path)?.database.close();
    this.#open.delete(path);
  }

  /** The file of a team; undefined where there is none that is of use. */
  #fileOf(teamId: string, { isMade = false } = {}): OpenFile | undefined {
    const { directory, maxBytes, embeds, program, embeddingModel } = this.#settings;
    const path = indexPath(directory, teamId);
    const file = this.#open.get(path);
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (file !== undefined && file.inode === inode) {
      this.#open.delete(path);
      this.#open.set(path, file);
      return file;
    }
    this.close(path);
    if (inode === undefined && !isMade) return undefined;
    const database = openIndexDatabase(path, { isMade });
    try {
      const known = readHead(database);
      const head = known ?? { program, teamId, embeddingModel };
      if (known === undefined && isMade) writeHead(database, head);
      if (head.program === program && head.embeddingModel === embeddingModel) {
        const limits = { team: maxBytes / 2, external: maxBytes / 4 };
        const index = createTeamIndex(database, { limits, embeds });
        const opened = { database, index, inode: statSync(path).ino };
        this.#open.set(path, opened);
        for (const other of this.#open.keys()) if (this.#open.size > maxOpenFiles) this.close(other);
        return opened;
      }
    } catch (error) {
      database.close();
      throw error;
    }
    database.close();
    this.remove(teamId);
    return isMade ? this.#fileOf(teamId, { isMade }) : undefined;
  }

  remove(teamId: string): void {
    const path = indexPath(this.#settings.directory, teamId);
    this.close(path);
    removeIndex(path);
  }

  /**
   * Does work on a team's file; undefined where there is none. One that is damaged, or that somebody removed, is removed, to
   * be made again. Any other error is one of this work alone.
   */
  withFile<Result>(
    teamId: string,
    work: (file: OpenFile) => Result,
    options?: { isMade: boolean },
  ): Result | undefined {
    try {
      const file = this.#fileOf(teamId, options);
      return file && work(file);
    } catch (error) {
      if (isDiskFull(error, this.#settings.directory)) throw new IndexDiskFull(error);
      if ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === busy) throw isBusy(error);
      if (!isDamage(error)) throw error;
      this.#onDamage(error);
      this.remove(teamId);
      return undefined;
    }
  }

  /** The same for work that changes the file. */
  writing<Result>(teamId: string, work: (file: OpenFile) => Result): Result | undefined {
    return this.withFile(teamId, (file) => file.index.write(() => work(file)));
  }

  /** The same for work on what needs vectors. */
  embedding<Result>(teamId: string, work: (backlog: EmbeddingBacklog) => Result): Result | undefined {
    return this.writing(teamId, ({ database, index }) => work(createEmbeddingBacklog(database, index)));
  }

  /** The same for work that reads one state of a file that has had all rows. */
  reading<Result>(
    teamId: string,
    work: (database: IndexDatabase, positions: FeedPositions) => Result,
  ): Result | undefined {
    return this.withFile(teamId, ({ database }) => {
      database.exec('BEGIN');
      try {
        const { positions } = readHead(database) ?? {};
        return positions && work(database, positions);
      } finally {
        // An error of the disk has ended the transaction already.
        if (database.isInTransaction()) database.exec('COMMIT');
      }
    });
  }
}

/** Makes a host over files. `onDamage` is told for what a file was removed. */
export function createLocalIndexHost(
  settings: IndexHostSettings,
  onDamage: (error: unknown) => void = () => undefined,
): LocalIndexHost {
  const { directory, embeddingModel, program } = settings;
  const files = new OpenFiles(settings, onDamage);
  return {
    cut: (_teamId, items) => cutItems(items),
    open(teamId, { heads, asked }) {
      const positionsOf = (isMade: boolean) =>
        files.withFile(teamId, ({ database }) => readHead(database)?.positions ?? noPositions, { isMade });
      const known = positionsOf(asked);
      if (known === undefined || isUpTo(heads, known)) return known && { positions: known };
      files.remove(teamId);
      const made = positionsOf(asked);
      return made && { positions: made };
    },
    apply(teamId, changes) {
      let erases = changes.erases === true;
      const applied = files.withFile(teamId, ({ database, index }) => {
        const isBuilding = readHead(database)?.positions === undefined;
        const { documents = [], rows = [], projects, allProjects, positions } = changes;
        const work = () => {
          for (const { json, ...row } of documents) {
            const passages = passagesFromJson(json);
            index.applyItem({ ...row, ...passages });
            erases ||= passages.isErased === true;
          }
          for (const row of rows) index.applyRow(row);
          if (projects !== undefined) index.applyProjects(projects);
          if (allProjects !== undefined) index.keepProjects(allProjects);
          if (positions === undefined) return;
          if (isBuilding) for (const tier of tiers) index.counts[tier].countWords();
          writeHead(database, { program, teamId, embeddingModel, positions });
        };
        index.write(work, { isBuilding });
        return index;
      });
      const log = statSync(`${indexPath(directory, teamId)}-wal`, { throwIfNoEntry: false });
      if (erases) files.withFile(teamId, ({ database }) => purge(database));
      else if ((log?.size ?? 0) > maxLogBytes)
        files.withFile(teamId, ({ database }) => beginLogAnew(database));
      if (applied === undefined) return false;
      if (!applied.hasRoomAgain()) return true;
      files.remove(teamId);
      return false;
    },
    forget: (teamId) => files.remove(teamId),
    search: (teamId, request) =>
      files.reading(teamId, (database) => findInView(storedView(database, request.tier), request)),
    vectors: (teamId, tier) =>
      files.reading(teamId, (database) => readFigures(database, tier).get('vectors') ?? 0) ?? 0,
    coverage: (teamId) =>
      files.reading(teamId, (database) => {
        const of = (tier: Tier) => coverageOf(readFigures(database, tier));
        return {
          views: { team: of('team'), external: of('external') },
          bytes: bytesOfIndex(indexPath(directory, teamId)),
        };
      }),
    indexedItems: (teamId, { tier, rowKeys }) =>
      files.reading(teamId, ({ sql }, positions) => {
        const items = new Map<string, IndexedItem>();
        for (const rowKey of rowKeys) {
          const item = sql(
            `SELECT skipped_${tier} AS skipped, (SELECT count(*) FROM passages
               WHERE item = items.id AND in_${tier} = 1) AS searchable
             FROM items WHERE row_key = ? AND in_${tier} = 1 AND kind = 'item'`,
          ).get(rowKey);
          const [skipped, searchable] = [Number(item?.skipped ?? 0), Number(item?.searchable ?? 0)];
          if (skipped + searchable > 0) items.set(rowKey, { passages: skipped + searchable, searchable });
        }
        return { items, upTo: positions.items };
      }),
    itemsNamed: (teamId, request) => files.reading(teamId, (database) => findNames(database, request)),
    notesToCheck: (teamId, request) =>
      files.reading(teamId, (database) => findNotesToCheck(database, request)),
    takeEmbeddingWork: (teamId, max) => files.embedding(teamId, (backlog) => backlog.take(max)),
    addToBacklog: (teamId, rowKeys) => files.embedding(teamId, (backlog) => backlog.add(rowKeys)),
    refillBacklog: (teamId) => files.embedding(teamId, (backlog) => backlog.refill()),
    embed: (teamId, vectors) =>
      files.embedding(teamId, (backlog) => {
        for (const vector of vectors) backlog.embed(vector);
      }),
    forgetVectors: (teamId, dimension) =>
      files.embedding(teamId, (backlog) => backlog.forgetOthers(dimension)),
    close: () => files.closeAll(),
    release: (path) => files.close(path),
    figuresOf: (teamId) =>
      files.withFile(teamId, ({ database }) => {
        const figures = readFigures(database, 'team');
        const { passages, missing } = coverageOf(figures);
        const vectors = figures.get('vectors') ?? 0;
        const bytes = bytesOfIndex(indexPath(directory, teamId));
        return { bytes, missing, unembedded: passages - missing - vectors };
      }),
  };
}

function fits({ rowKey, kind, fields }: IndexedPassage, filter: PassageFilter): boolean {
  const { prefix, since } = filter;
  if (filter.kind !== '' && kind !== filter.kind) return false;
  return publicKeyOf(rowKey).startsWith(prefix) && (since === '' || fields.date >= since);
}

/** Searches a view and makes the answers of rows and of quotes. A filter chooses among the best 1,000 passages. */
export function findInView(
  view: View,
  { question: asked, limit, filter, vector, markup = 'inert', today }: SearchRequest,
): SearchResult {
  const question = readQuestion(asked, today);
  const list = rowsAnswer(question, view.rows, markup);
  const findings = searchView(view, question, filter === undefined ? limit : maxPassages, vector);
  const wanted =
    filter === undefined
      ? findings.passages
      : findings.passages.filter(({ passage }) => fits(passage, filter));
  return {
    passages: wanted.slice(0, limit).map(({ passage, score }) => ({ passage, score })),
    closest: closestNotes(findings.passages),
    ...(list && { list }),
    quotes: extractiveAnswer(findings, markup),
    coverage: view.coverage(),
  };
}

/**
 * Takes what was removed out of the full-text tables, which keep it until they are merged, out of the free space of pages,
 * and out of the log of changes.
 * @throws AppError `unavailable` where a reader keeps the log for too long.
 */
function purge(database: IndexDatabase): void {
  for (const view of tiers) database.exec(`INSERT INTO ${view}_terms (${view}_terms) VALUES ('optimize')`);
  database.exec('VACUUM');
  if (!beginLogAnew(database)) throw isBusy();
}

/** Returns false where a reader keeps the log for too long. */
function beginLogAnew({ sql }: IndexDatabase): boolean {
  return sql('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
}

function isBusy(cause?: unknown): AppError {
  return new AppError('unavailable', 'The search index of this team is in use; ask again.', { cause });
}
