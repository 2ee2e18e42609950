import type { NamedProjects, ProjectStore } from './project-store.ts';
import type { Tier } from './tier.ts';

/** Projects that a team may create, unless a setting says otherwise. */
export const defaultProjectsMax = 1_000;
/** Projects that items may name, for each that may be created. */
const namedPerCreated = 10;
/** Part of them after which external items name no new one, so that guests leave room for the team. */
const externalShare = 0.5;
/** Names of one read. */
const namesPerRead = 1_000;
/** How long a count is good; names that are new meanwhile are added to it, and those that are gone make room later. */
const countedForMs = 60_000;
/** Teams whose count is remembered. */
const countsMax = 10_000;

/** What an item names, and who may see the item. */
export interface NamingItem extends NamedProjects {
  tier: Tier;
}

/**
 * Bounds the projects that items name: beyond the bound a name that no item had
 * before is left out, and everything else of its item is as ever. Otherwise one
 * key could make a list of projects that nobody can read, at two names an item.
 * Several processes that count at once may pass the bound by a page each.
 */
export function createNamedProjects(options: {
  projects: Pick<ProjectStore, 'named' | 'isNamed'>;
  /** Projects that may be created. */
  projectsMax?: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
}): { admitted(teamId: string, items: readonly NamingItem[]): Promise<NamedProjects[]> } {
  const { projects, projectsMax = defaultProjectsMax, clock } = options;
  const namedMax = projectsMax * namedPerCreated;
  const counts = new Map<string, { names: number; atMs: number }>();

  async function countOf(teamId: string): Promise<{ names: number; atMs: number }> {
    const known = counts.get(teamId);
    if (known !== undefined && clock() - known.atMs < countedForMs) return known;
    const count = { names: 0, atMs: clock() };
    for (let after = ''; count.names < namedMax; ) {
      const page = await projects.named(teamId, after, namesPerRead);
      count.names += page.length;
      if (page.length < namesPerRead) break;
      after = page.at(-1) ?? '';
    }
    if (counts.size >= countsMax) counts.clear();
    counts.set(teamId, count);
    return count;
  }

  return {
    async admitted(teamId, items) {
      const known = new Set<string>();
      const admitted: NamedProjects[] = [];
      for (const { tier, slugs, ...item } of items) {
        const kept: string[] = [];
        for (const slug of slugs) {
          if (!known.has(slug) && !(await projects.isNamed(teamId, slug))) {
            const count = await countOf(teamId);
            if (count.names >= (tier === 'external' ? namedMax * externalShare : namedMax)) continue;
            count.names += 1;
          }
          known.add(slug);
          kept.push(slug);
        }
        admitted.push({ ...item, slugs: kept });
      }
      return admitted;
    },
  };
}
