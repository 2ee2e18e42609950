import { resolve } from 'node:path';
import { z } from 'zod';
import type { CliContext } from '../cli-context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { readAtMost } from '../read-at-most.ts';
import type { HookClient, HookMoment } from './hook-file.ts';
import { readSessions, writeSessions } from './sessions.ts';

/** Bytes of what a program tells a hook; Codex and Claude tell the last answer too. */
const maxInputBytes = 1024 * 1024;
/** A program that says nothing is not waited for. */
const inputTimeoutMs = 300;
/** A session that was shorter has learned little that others need. */
const worthANudgeMs = 10 * 60_000;

const input = z.object({
  session_id: z.string().max(200).optional(),
  conversation_id: z.string().max(200).optional(),
  cwd: z.string().max(4_096).optional(),
  workspace_roots: z.array(z.string().max(4_096)).optional(),
  stop_hook_active: z.boolean().optional(),
});

const nudge =
  'Before you end: if this session decided or found out something that the team needs to know (a decision and why, what was tried and left, how something works), push one short note of it to the team memory, after a search for the note that is there. If there is nothing of that kind, or it is written down already, end without a word about this.';

/**
 * Returns what a hook prints: at the start of a session the brief, at its first stop after ten minutes, once, the nudge;
 * undefined for nothing. It never throws, so that no session waits or fails for it.
 */
export async function runHook(
  { client, moment }: { client: HookClient; moment: HookMoment },
  flags: GlobalOptions,
  context: CliContext,
): Promise<object | undefined> {
  try {
    const told = input.parse(JSON.parse(await readInput(context)));
    const session = `${client} ${told.session_id ?? told.conversation_id ?? ''}`;
    const folder = resolve(context.cwd, told.cwd ?? told.workspace_roots?.[0] ?? '.');
    return moment === 'start'
      ? await start(client, { session, folder }, flags, context)
      : await stop(client, { session, isGoingOn: told.stop_hook_active === true }, context);
  } catch {
    return undefined;
  }
}

async function start(
  client: HookClient,
  { session, folder }: { session: string; folder: string },
  flags: GlobalOptions,
  context: CliContext,
): Promise<object | undefined> {
  const nowMs = context.now().getTime();
  const sessions = await readSessions(context);
  const sinceMs = sessions.folders[folder];
  const { readBrief } = await import('./read-brief.ts');
  const brief = await readBrief(flags, context, { folder, sinceMs });
  // A session that is resumed began before.
  sessions.sessions[session] ??= nowMs;
  // What could not be told is new the next time as well.
  if (brief !== undefined) sessions.folders[folder] = nowMs;
  await writeSessions(context, sessions);
  if (brief === undefined) return undefined;
  if (client === 'cursor') return { additional_context: brief };
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: brief } };
}

async function stop(
  client: HookClient,
  { session, isGoingOn }: { session: string; isGoingOn: boolean },
  context: CliContext,
): Promise<object | undefined> {
  const nowMs = context.now().getTime();
  const sessions = await readSessions(context);
  const startedMs = sessions.sessions[session];
  if (isGoingOn || startedMs === undefined || session in sessions.nudged) return undefined;
  if (nowMs - startedMs < worthANudgeMs) return undefined;
  sessions.nudged[session] = nowMs;
  await writeSessions(context, sessions);
  return client === 'cursor' ? { followup_message: nudge } : { decision: 'block', reason: nudge };
}

async function readInput({ stdin }: CliContext): Promise<string> {
  const timer = setTimeout(() => (stdin as NodeJS.ReadStream).destroy(), inputTimeoutMs);
  try {
    return await readAtMost(stdin, maxInputBytes, () => new Error('The program tells too much.'));
  } finally {
    clearTimeout(timer);
  }
}
