import { runGit } from './git.ts';

/** The newest commits, which are counted. */
const maxCommits = 1_000;

/** Commits of a member among the newest of a repository. */
export interface Contribution {
  member: string;
  commits: number;
  /** Those of them that an agent wrote, or helped to write, as the commit says. */
  agent_commits: number;
}

/** Addresses and names under which agents sign. Each is the whole address, its host or a part of its name. */
const agentAddresses =
  /(?:^|\+)(?:copilot|claude|devin-ai-integration|cursoragent|google-labs-jules|chatgpt-codex-connector|gemini-code-assist|openhands)(?:\[bot\])?@|^(?:noreply@anthropic\.com|cursoragent@cursor\.com|(?:noreply|codex)@openai\.com|aider@aider\.chat|noreply@opencode\.ai|amp@ampcode\.com|openhands@all-hands\.dev|copilot@github\.com)$/i;
/** Trailers that only agents, or people who name one, write. */
const agentTrailers =
  /^(?:(?:AI-)?(?:Generated|Assisted)-By|AI-Assistant|Agent|Claude-Session|Amp-Thread-ID|Codex-Session):/im;
const coAuthors = /^Co-Authored-By:[^<\n]{0,200}<([^>\n]{1,200})>/gim;

/**
 * Counts the newest commits of each member, by the addresses of their authors in lower case. Of an agent's own commit the
 * co-authors are the members. No text of a message is returned. Throws ScanError `git_failed`.
 */
export async function countContributions(
  root: string,
  members: ReadonlyMap<string, string>,
  options: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<Contribution[]> {
  if (members.size === 0) return [];
  const format = '--format=tformat:%ae%x00%B%x00';
  const log = await runGit(
    root,
    [
      'log',
      `--max-count=${maxCommits}`,
      '--no-merges',
      '--no-mailmap',
      '--no-show-signature',
      '-z',
      format,
      'HEAD',
      '--',
    ],
    options,
  );
  return contributionsOf(log, members);
}

/** Counts what `git log` printed: of each commit the author's address, NUL, the message, NUL, NUL. */
export function contributionsOf(log: string, members: ReadonlyMap<string, string>): Contribution[] {
  const counts = new Map<string, Contribution>();
  const parts = log.split('\0');
  for (let at = 0; at + 1 < parts.length; at += 3) {
    const [author = '', message = ''] = parts.slice(at, at + 2);
    const others = [...message.matchAll(coAuthors)].map(([, address = '']) => address);
    const isOfAgent = agentAddresses.test(author);
    const byAgent =
      isOfAgent || others.some((each) => agentAddresses.test(each)) || agentTrailers.test(message);
    const people = isOfAgent ? others : [author];
    const handles = new Set(people.flatMap((each) => members.get(each.toLowerCase()) ?? []));
    for (const member of handles) {
      const count = counts.get(member) ?? { member, commits: 0, agent_commits: 0 };
      count.commits += 1;
      if (byAgent) count.agent_commits += 1;
      counts.set(member, count);
    }
  }
  return [...counts.values()].sort((one, other) => (one.member < other.member ? -1 : 1));
}
