import { printable } from './terminal.ts';

/** Exit codes; 0 means success. */
export const failedExitCode = 1;
const usageExitCode = 2;
/** What a shell reports of a program that SIGPIPE has ended: nobody reads any more, as after `| head`. */
export const lostReaderExitCode = 141;

/** A failure that the user can do something about. `message` is a whole sentence. */
export class CliError extends Error {
  /** Stable and in snake_case, like the codes of the service. */
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = failedExitCode) {
    super(message);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** Makes the error for a mistake in the command line or the settings. */
export function usageError(message: string): CliError {
  return new CliError('usage', message, usageExitCode);
}

/** An error as `--json` prints it. */
export interface ErrorDescription {
  code: string;
  detail: string;
  status?: number;
  request_id?: string;
  retry_after_seconds?: number;
  /** The fields of the request that break a rule, each with a JSON Pointer. */
  errors?: readonly { pointer: string; detail: string }[];
  /** What was tried: the address, where it came from, and the team. */
  tried?: string;
  /** What the user can do. */
  next_step?: string;
}

/** Faults listed at once: about as many as fit on a screen. */
const maxFaults = 20;

/**
 * Returns the text of an error for people: its sentence, and below it an indented line for each field that breaks a
 * rule, unless the sentence already says so, and for what was tried and what to do.
 */
export function errorText({ detail, errors = [], tried, next_step }: ErrorDescription): string {
  const faults = errors.filter((fault) => !detail.includes(fault.detail));
  const lines = faults.slice(0, maxFaults).map(faultLine);
  const more = faults.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more (--json prints all)`);
  if (tried !== undefined) lines.push(`  tried: ${tried.replaceAll('\n', ' ')}`);
  if (next_step !== undefined) lines.push(`  next:  ${next_step.replaceAll('\n', ' ')}`);
  return printable([detail, ...lines].join('\n'));
}

function faultLine({ pointer, detail }: { pointer: string; detail: string }): string {
  // An empty pointer means the whole request.
  const text = pointer === '' ? detail : `${pointer}: ${detail}`;
  return `  ${text.replaceAll('\n', ' ')}`;
}
