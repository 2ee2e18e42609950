import { AppError } from '@teammemory/errors/app-error.ts';

/**
 * The form in which a program writes the data of one store. A new table, or a column that older programs ignore, needs
 * no new version: versions are for data that has to be changed, and for data that older programs would misread.
 */
export interface StoreSchema {
  /** Name of the store, such as `content`. */
  store: string;
  /** Version of the form: a whole number that rises. */
  version: number;
  /**
   * The oldest version of programs that can work with data of this form. At most the version of the last minor release,
   * so that a downgrade by one minor version works.
   */
  readableFrom: number;
}

/** What a store's data says about itself. */
export interface SchemaRecord {
  /** All of the data is in this form or a newer one; 0 for data without a record. */
  version: number;
  /** The oldest version of programs that can work with the data. */
  readableFrom: number;
  /** When `version` was reached, milliseconds since the epoch; 0 if a program of an older version came after that. */
  reachedAt: number;
}

/** The record that a store keeps beside its data. Every method may throw AppError `unavailable`. */
export interface SchemaRecords {
  read(): Promise<SchemaRecord>;
  /** Notes that all data is in the form of `version`; `at` is kept from the first time. */
  reached(version: number, at: number): Promise<void>;
  /** Notes that there are rows of any older form now, as after a restore: the next start brings them up to date. */
  outdated(): Promise<void>;
}

/** The record of data that has none. */
export const noRecord: SchemaRecord = { version: 0, readableFrom: 0, reachedAt: 0 };

/**
 * Returns the record to write when a program opens data: the data can only be read by programs that also read what this
 * one writes, and what an older program writes has to be migrated once more.
 *
 * @throws AppError `unavailable` with one sentence for people if the data needs a newer program, or if that cannot be told.
 */
export function openedRecord(schema: StoreSchema, stored: SchemaRecord): SchemaRecord {
  const { store, version } = schema;
  if (![stored.version, stored.readableFrom, stored.reachedAt].every(isCount)) {
    throw new AppError(
      'unavailable',
      `The record of the version of the data of ${store} is damaged, so it is not known which programs can read the data. Restore a backup, or mend the record.`,
    );
  }
  if (stored.readableFrom > version) {
    throw new AppError(
      'unavailable',
      `The data of ${store} was written by a newer version of this program: it needs a program that knows its form ` +
        `${stored.readableFrom}, and this one knows form ${version}. Start the newer program, or restore a backup that was made before the upgrade.`,
    );
  }
  const readableFrom = Math.max(stored.readableFrom, schema.readableFrom);
  return stored.version > version ? { version, readableFrom, reachedAt: 0 } : { ...stored, readableFrom };
}

/** A record comes from a store, which may have anything in it. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
