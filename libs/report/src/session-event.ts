/** What a call of a tool is for. */
export type Purpose = 'change' | 'run' | 'verify' | 'delegate' | 'other';

/** Tokens of one answer. */
export interface Tokens {
  /** Input that was not in the cache; undefined where the log does not tell it. */
  input: number | undefined;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

interface Place {
  /** The session; a subagent's events belong to the session that started it. */
  session: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Whether a subagent did it. */
  isSubagent: boolean;
}

/**
 * One thing that happened in a session, without its text. Ids are unique within a client: the same id again is the same
 * thing, copied to another place.
 */
export type SessionEvent = Place &
  (
    | { kind: 'prompt'; id: string }
    | {
        kind: 'answer';
        id: string;
        model: string;
        /** Undefined where the client does not log them. */
        tokens: Tokens | undefined;
        /** Whether the row ends the answer. Of several that do not, the one with the largest output counts. */
        isWhole: boolean;
      }
    | { kind: 'call'; id: string; tool: string; purpose: Purpose }
    | { kind: 'result'; id: string; hasFailed: boolean }
  );

/** What of the logs could not be read. */
export interface Skipped {
  /** Lines, rows or files that are no valid JSON. */
  torn: number;
  /** Lines, rows or files that are too large. */
  large: number;
  /** Files beyond the most that are read. */
  files: number;
}

/** What an adapter is given. */
export interface LogReading {
  /** The home folder of the user. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** Milliseconds since the epoch: files that were last changed before are left out. */
  since: number;
  signal: AbortSignal;
  /** Counted up while reading. */
  skipped: Skipped;
}

/** What a client logs well enough to be counted. */
export interface Abilities {
  tokens: boolean;
  /** Whether the log tells the price-relevant parts of the input. */
  cost: boolean;
  failures: boolean;
  subagents: boolean;
}

/** Reads the session logs of one client. */
export interface Adapter {
  /** As people know it. */
  client: string;
  can: Abilities;
  /** Yields events, those of a file in their order. Reads nothing that is not a session log. */
  read(reading: LogReading): AsyncGenerator<SessionEvent>;
}
