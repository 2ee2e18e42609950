import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { LocalIndexHost, TeamFigures } from './index-host.ts';

/** What a thread does for the rest of the process. */
export type Method = Exclude<keyof LocalIndexHost, 'figuresOf' | 'release'>;

/** Tells a thread that a file was removed. */
export interface RemovedMessage {
  removed: string;
}

/** A call to a thread, which has one at a time. */
export interface CallMessage {
  /** Where the files of indexes are. */
  directory: string;
  method: Method;
  args: unknown[];
}

/** Its answer, with the figures of the team's file where they may have changed. */
export type ReplyMessage = {
  figures?: TeamFigures | undefined;
  /** What went wrong with the file, which was removed for it. */
  damage?: string | undefined;
} & (
  | { result: unknown }
  /** The disk has no room for what the call needs. */
  | { isDiskFull: true }
  | { error: { code: ErrorCode; message: string; cause: string } }
);

/** An error as a message carries it. */
export function errorToMessage(error: unknown): { code: ErrorCode; message: string; cause: string } {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof AppError)
    return {
      code: error.code,
      message: error.message,
      cause: error.cause === undefined ? '' : String(error.cause),
    };
  return { code: 'internal', message: 'Something went wrong on our side.', cause };
}

/** The inverse of `errorToMessage`. */
export function errorFromMessage({ code, message, cause }: ReturnType<typeof errorToMessage>): AppError {
  return new AppError(code, message, cause === '' ? {} : { cause: new Error(cause) });
}
