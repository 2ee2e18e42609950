import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { IndexFigures, IndexHost } from '../domain/index/index-host.ts';
import type { IndexFileSettings } from '../store/index-file-store.ts';

/** What the thread is started with. */
export interface ThreadSettings {
  maxBytes: number;
  embeds: boolean;
  /** Where files of indexes are kept; undefined for none. */
  files: IndexFileSettings | undefined;
  /** Where the thread says whose work is under way, see `turn-record.ts`. */
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
