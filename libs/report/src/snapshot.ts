import { claudeCode } from './adapters/claude-code.ts';
import { codex } from './adapters/codex.ts';
import { cursor } from './adapters/cursor.ts';
import { geminiCli } from './adapters/gemini-cli.ts';
import { opencode } from './adapters/opencode.ts';
import type { Adapter, LogReading, Skipped } from './session-event.ts';
import { type Measured, measure, type SignalName, signalNames } from './signals.ts';
import { Tally } from './tally.ts';

/** Every client whose logs are read. */
const adapters: readonly Adapter[] = [claudeCode, codex, opencode, cursor, geminiCli];

/** Claude Code deletes logs after 30 days: a longer window would have days without their sessions. */
export const maxWindowDays = 30;

const dayMs = 24 * 60 * 60 * 1000;

/** What `POST /metrics` takes. */
export interface SnapshotBody {
  metric: 'aem-individual';
  /** YYYY-MM-DD, in UTC. */
  date: string;
  window_days: number;
  signals: Partial<Record<SignalName, number>>;
  sessions: number;
  tasks: number;
}

/** What the logs of this machine came to. */
export interface Report {
  body: SnapshotBody;
  /** Why each signal is what it is, or was left out. */
  measured: Record<SignalName, Measured>;
  clients: { client: string; sessions: number; tasks: number }[];
  skipped: Skipped;
}

/**
 * Reads the logs of all clients over the last days and sums them up. Nothing is sent, and nothing but counts is kept.
 * @param days whole days, 1 to `maxWindowDays`; the present day is one of them
 */
export async function makeReport(
  where: Pick<LogReading, 'home' | 'env' | 'platform' | 'signal'> & { now: Date; days: number },
): Promise<Report> {
  const { now, days } = where;
  const date = now.toISOString().slice(0, 10);
  const since = Date.parse(date) - (days - 1) * dayMs;
  const skipped: Skipped = { torn: 0, large: 0, files: 0 };
  const tallies: Tally[] = [];
  const clients: Report['clients'] = [];
  for (const adapter of adapters) {
    const tally = new Tally(adapter.can, { from: since, to: now.getTime() + dayMs });
    for await (const event of adapter.read({ ...where, since, skipped })) tally.add(event);
    tallies.push(tally);
    const { sessions, tasks } = tally;
    if (tasks > 0) clients.push({ client: adapter.client, sessions, tasks });
  }
  const measured = measure(tallies);
  const known = signalNames.flatMap((name) => {
    const { value } = measured[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    body: {
      metric: 'aem-individual',
      date,
      window_days: days,
      signals: Object.fromEntries(known),
      sessions: clients.reduce((sum, client) => sum + client.sessions, 0),
      tasks: clients.reduce((sum, client) => sum + client.tasks, 0),
    },
    measured,
    clients,
    skipped,
  };
}
