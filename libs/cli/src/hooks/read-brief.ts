import { isTemporary } from '@teammemory/client/retries.ts';
import { makeBrief, newForMs } from '@teammemory/mcp/brief.ts';
import { isAccess } from '@teammemory/vocabulary/access.ts';
import type { CliContext } from '../cli-context.ts';
import { clientFor, workspaceOrigin } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { createClientMemory } from '../mcp/client-memory.ts';
import { loadSettings } from '../settings.ts';
import { projectSlugsOf } from './folder-project.ts';

/** No session waits longer for its brief. */
const deadlineMs = 1_000;

/**
 * Returns the brief of a folder; undefined if the service cannot be reached or does not answer within a second.
 * @throws CliError where the settings are incomplete, and ProblemError where the service refuses the key.
 */
export async function readBrief(
  flags: GlobalOptions,
  context: CliContext,
  { folder, sinceMs }: { folder: string; sinceMs?: number | undefined },
): Promise<string | undefined> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(deadlineMs)]);
  const settings = await loadSettings(flags, context, await workspaceOrigin(folder), { forAgents: true });
  const client = await clientFor(settings, context, { retries: 0, maxRetryWaitMs: 0 });
  try {
    const [who, slugs, projects] = await Promise.all([
      client.whoami({ signal }),
      projectSlugsOf(folder),
      // A key of tier external may not list projects, and a brief without one is a brief too.
      client.listProjects({ signal }).then(
        (list) => list.projects.map(({ slug }) => slug),
        (): string[] => [],
      ),
    ]);
    const { team, member, tier, access } = who;
    const holder = {
      team,
      member,
      tier: tier === 'team' ? 'team' : 'external',
      access: isAccess(access) ? access : 'read',
    } as const;
    const nowMs = context.now().getTime();
    return await makeBrief(
      createClientMemory(client, () => holder),
      {
        project: slugs.find((slug) => projects.includes(slug)),
        sinceMs: sinceMs ?? nowMs - newForMs,
        nowMs,
        signal,
      },
    );
  } catch (thrown) {
    if (signal.aborted || isTemporary(thrown) || isOutage(thrown)) return undefined;
    throw thrown;
  }
}

/** The memory says of an outage what agents are told. */
function isOutage(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === 'string' && ['unavailable', 'cancelled', 'rate_limited'].includes(code);
}
