/** A value of a stored row, the same in both engines. Words are a list of texts without blanks. */
export type FieldValue = string | number | boolean | null | Uint8Array | readonly string[];

/** A stored row by the names of its fields. */
export type BackupRow = Readonly<Record<string, FieldValue>>;

/** What a field may contain. With a question mark it may also be null. */
export type FieldType = 'text' | 'text?' | 'number' | 'number?' | 'bytes' | 'flag' | 'words';

/** The fields of a row by name. */
export type Fields = Readonly<Record<string, FieldType>>;

/** A table, or collection, that is backed up as it is. Its fields have the same names in both engines. */
export interface BackupTable {
  name: string;
  /** The view through which SQLite reads and writes it, if it is not the table itself. */
  view?: string;
  fields: Fields;
  /** The fields that name a row, in the order in which SQLite reads it. */
  key: readonly string[];
  /**
   * Other fields that no two rows share. Such values are never swapped: a row gets one that another had only after that
   * was removed. So a backup that was made meanwhile may have both rows, of which the later one is right, and it replaces
   * the earlier.
   */
  unique?: readonly (readonly string[])[];
  /**
   * What `_id` is in MongoDB: a field that the document has only as `_id`; several fields, joined by line feeds; or, if it
   * is left out, an id that the server makes.
   */
  id?: string | readonly string[];
  /** Fields that a document in MongoDB lacks where they are null or false. */
  absent?: readonly string[];
}

/** A part of a service's data that is backed up and restored: rows of one form. */
export interface BackupSection {
  name: string;
  fields: Fields;
  /**
   * Reads all rows, page by page. A row that changes meanwhile may come more than once; the last one counts.
   * @throws AppError `unavailable`, or the signal's reason.
   */
  read(signal: AbortSignal): AsyncIterable<readonly BackupRow[]>;
  /** Writes rows, each as a whole; a row that is there already is replaced. @throws AppError `unavailable`. */
  restore(rows: readonly BackupRow[]): Promise<void>;
  isEmpty(): Promise<boolean>;
  /**
   * Removes all rows. Only what an unfinished restore wrote is ever removed.
   * `beforePage` runs before each piece of the work; what it throws ends the work.
   */
  clear(beforePage?: () => Promise<unknown>): Promise<void>;
}

/** A restore as the data itself notes it. */
export interface RestoreRecord {
  restoreId: string;
  /** While this is false the data is not whole. */
  isFinished: boolean;
  /** When it last said that it goes on, in milliseconds since the epoch. */
  activeAt: number;
}

/** Keeps the last restore of a service. */
export interface RestoreRecords {
  read(): Promise<RestoreRecord | undefined>;
  /** Replaces the record if it still is `expected`; undefined: if there is none. Returns whether it was. */
  replace(expected: RestoreRecord | undefined, next: RestoreRecord): Promise<boolean>;
}

/** Everything that backup and restore need of a service's stores. */
export interface BackupStore {
  /** In the order in which they are read and restored. */
  sections: readonly BackupSection[];
  records: RestoreRecords;
  /**
   * Rebuilds what is counted or derived from restored rows, before the restore counts as finished; `at` is the present, in
   * milliseconds since the epoch.
   */
  finish?(at: number): Promise<void>;
}
