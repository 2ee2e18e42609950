import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { NewDecision } from '@teammemory/client/rpc/decisions.ts';

/** One request of a plain client, and what it was answered. */
export interface Exchange {
  /** What the client does. */
  does: string;
  /** How often; each time the same answer. By default once. */
  times?: number;
  request: {
    /** Method and path, in which `<next_cursor>` and `<updated_at>` stand for the newest ones that were answered. */
    line: string;
    /** Whose key is sent; by default that of tier team. */
    key?: 'team' | 'external' | 'none' | 'malformed';
    /** What X-Svc-Team says; by default the team's slug. */
    team?: 'own' | 'unknown' | 'none';
    type?: string;
    /** Sent as JSON; text is sent as it is. */
    body?: unknown;
  };
  answer: {
    status: number;
    headers?: Record<string, string>;
    /** With placeholders (see `differences`); of a stream its events, the deltas put together. */
    body: unknown;
  };
}

/** What a client sends and gets, in order, on a team where only `given` was done on the service side. */
export interface Recording {
  name: string;
  given?: {
    decisions?: NewDecision[];
    projects?: { slug: string; name: string }[];
  };
  exchanges: Exchange[];
}

/** Reads test/recordings, by name. */
export function readRecordings(): Recording[] {
  const folder = join(import.meta.dirname, '../../recordings');
  return globSync('*.json', { cwd: folder })
    .toSorted()
    .map((file) => ({
      name: basename(file, '.json'),
      ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
    }));
}
