import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { IndexFigures, IndexHost } from '../domain/index/index-host.ts';
import type { IndexFileSettings } from '../store/index-file-store.ts';

/** The settings that the thread is started with. */
export interface ThreadSettings {
  maxBytes: number;
  embeds: boolean;
  /** Where index files are kept; undefined if none are. */
  files: IndexFileSettings | undefined;
  /** Shared memory that shows whose work is running, see `turn-record.ts`. */
  turnRecord: SharedArrayBuffer;
}

/** The thread does for the rest of the process what an `IndexHost` does. */
export type Method = keyof IndexHost;

export interface CallMessage {
  id: number;
  method: Method;
  args: unknown[];
}

export type ReplyMessage = { id: number; figures: IndexFigures } & (
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; cause: string } }
);

/** An error as a message carries it. */
export function errorToMessage(error: unknown): { code: ErrorCode; message: string; cause: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message, cause: '' };
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message: 'Something went wrong on our side.', cause };
}

export function errorFromMessage({ code, message, cause }: ReturnType<typeof errorToMessage>): AppError {
  return new AppError(code, message, cause === '' ? {} : { cause: new Error(cause) });
}

const [turnField, lengthField] = [0, 1];
const headerBytes = 8;
/** Ids of teams are shorter; of a longer one the rest is left out. */
const maxIdBytes = 256;

/** The work that a thread is doing now. Another thread can read it, even after this one has ended. */
export interface TurnRecord {
  /** To be shared with the other thread. */
  buffer: SharedArrayBuffer;
  /** Records whose work begins; undefined when it has ended. */
  begin(teamId: string | undefined): void;
  /** Counts beginnings and ends. */
  turn(): number;
  /** Whose work is under way; undefined where none is. */
  teamId(): string | undefined;
}

/** Makes a record, or reads and writes one that another thread has made. */
export function turnRecord(buffer = new SharedArrayBuffer(headerBytes + maxIdBytes)): TurnRecord {
  const fields = new Int32Array(buffer, 0, 2);
  const bytes = new Uint8Array(buffer, headerBytes);
  const isUnderWay = () => Atomics.load(fields, turnField) % 2 !== 0;
  return {
    buffer,
    begin(teamId) {
      if (teamId !== undefined) {
        const { length } = Buffer.from(teamId).subarray(0, maxIdBytes);
        bytes.set(Buffer.from(teamId).subarray(0, maxIdBytes));
        Atomics.store(fields, lengthField, length);
      }
      if (isUnderWay() !== (teamId !== undefined)) Atomics.add(fields, turnField, 1);
    },
    turn: () => Atomics.load(fields, turnField),
    teamId() {
      if (!isUnderWay()) return undefined;
      return Buffer.from(bytes.slice(0, Atomics.load(fields, lengthField))).toString();
    },
  };
}
