import { relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { watch } from 'chokidar';
import { isNeverSynced } from './format/row-names.ts';
import type { SyncClient } from './service.ts';
import { isTemporary } from './state/file-system.ts';
import type { Workspace } from './state/workspace.ts';
import type { SyncOptions, SyncSummary } from './summary.ts';
import { SyncError } from './sync-error.ts';
import { synchronize } from './synchronize.ts';

/** An editor saves in several steps; a run in between would only be one too many. */
const settleMs = 200;
/** What neither the system nor the service told is found by then. */
const fullLookMs = 5 * 60_000;
/** Used instead while one of them cannot tell. */
const blindLookMs = 5_000;
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

export interface WatchOptions extends Omit<SyncOptions, 'dryRun' | 'paths'> {
  /** Called after every run that did something or found something new to tell, and after the first. */
  finished(summary: SyncSummary): void;
}

/**
 * Keeps a workspace and the service in step until the signal aborts, then resolves. Runs that files changed here, that the
 * service told of a change, or from time to time. What a run writes itself makes one more run, which finds nothing to do.
 * Throws what a run throws, except that it waits and tries again while the service cannot be reached, and while too many
 * files are missing.
 */
export async function watchWorkspace(
  workspace: Workspace,
  client: SyncClient,
  options: WatchOptions,
): Promise<void> {
  const { signal, report } = options;
  const bell = createBell();
  const senses = { seesFiles: true, hearsService: true };
  const watcher = watchFiles(workspace.root, bell.ring, () => {
    senses.seesFiles = false;
    const text =
      'The system cannot watch this many files; the folder is looked at every few seconds instead.';
    report({ kind: 'note', code: 'watch_degraded', text });
    bell.ring();
  });
  const ended = new AbortController();
  const listening = AbortSignal.any([signal, ended.signal]);
  const listener = listen(client, listening, bell.ring, (hears) => {
    senses.hearsService = hears;
  });
  try {
    await keepInStep(workspace, client, options, bell, senses);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    ended.abort();
    await watcher.close();
    await listener;
  }
}

async function keepInStep(
  workspace: Workspace,
  client: SyncClient,
  options: WatchOptions,
  bell: Bell,
  senses: { seesFiles: boolean; hearsService: boolean },
): Promise<void> {
  const { signal, report, finished } = options;
  let told: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    bell.silence();
    let waitMs = senses.seesFiles && senses.hearsService ? fullLookMs : blindLookMs;
    try {
      const summary = await synchronize(workspace, client, options);
      failures = 0;
      const news = newsOf(summary);
      if (news !== told) finished(summary);
      told = newsOf({ ...summary, ...nothingDone });
    } catch (thrown) {
      const text = recoverable(thrown);
      if (text === undefined || signal.aborted) throw thrown;
      waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
      if (failures === 0) report({ kind: 'note', code: 'waiting_for_service', text });
      failures += 1;
    }
    await bell.wait(waitMs, signal);
    await delay(settleMs, undefined, { signal });
  }
}

const nothingDone = {
  pushed: [],
  written: [],
  merged: [],
  removed_here: [],
  removed_there: [],
  renamed: [],
  kept: [],
  tier_changes: [],
  instructions: [],
};

/** What is worth telling of a run: two runs with the same news are told once. */
function newsOf({ unchanged: _, adopted: __, ...summary }: SyncSummary): string {
  return JSON.stringify(summary, (name, value) => (name === 'told_before' ? undefined : value));
}

/** Returns what to tell about a failure that may pass, or undefined for one that does not. */
function recoverable(thrown: unknown): string | undefined {
  if (thrown instanceof TransportError && thrown.code !== 'cancelled') return thrown.message;
  if (thrown instanceof ProblemError) {
    const mayPass = thrown.status === undefined || thrown.status >= 500 || thrown.status === 429;
    return mayPass ? thrown.message : undefined;
  }
  const stopped = ['too_many_removals', 'empty_root'];
  return thrown instanceof SyncError && stopped.includes(thrown.code) ? thrown.message : undefined;
}

function watchFiles(root: string, changed: () => void, failed: () => void) {
  const isTools = (path: string) =>
    relative(root, path)
      .split(sep)
      .some((name) => isNeverSynced(name) || name.toLowerCase() === 'node_modules');
  const watcher = watch(root, {
    ignored: (path) => isTools(path) || isTemporary(path),
    ignoreInitial: true,
    followSymlinks: false,
  });
  watcher.on('all', changed);
  watcher.on('error', failed);
  return watcher;
}

/** Rings when the service tells of a change. A service without events is looked at every few seconds. */
async function listen(
  client: SyncClient,
  signal: AbortSignal,
  changed: () => void,
  hears: (hears: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const _ of client.events({ signal })) {
        hears(true);
        changed();
      }
    } catch (thrown) {
      hears(false);
      if (thrown instanceof ProblemError && thrown.status === 404) return;
    }
    if (!signal.aborted) hears(false);
    await delay(blindLookMs, undefined, { signal }).catch(() => undefined);
  }
}

interface Bell {
  ring(): void;
  /** Forgets what rang so far. */
  silence(): void;
  /** Resolves when it rings, has rung since it was silenced, or after a time. Rejects if the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

function createBell(): Bell {
  let hasRung = false;
  let wake: () => void = () => undefined;
  return {
    ring: () => {
      hasRung = true;
      wake();
    },
    silence: () => {
      hasRung = false;
    },
    wait: async (ms, signal) => {
      if (hasRung) return;
      const woken = new AbortController();
      wake = () => woken.abort();
      await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined);
      signal.throwIfAborted();
    },
  };
}
