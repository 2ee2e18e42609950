import type { NamedProjects, ProjectStore } from './project-store.ts';
import type { Tier } from './tier.ts';

/** Projects that a team may create, unless a setting says otherwise. */
export const defaultProjectsMax = 1_000;
/** Projects that items may name, for each that may be created. */
const namedPerCreated = 10;
/** Part of them after which external items name no new one, so that guests leave room for the team. */
const externalShare = 0.5;
/** Part of them after which names are counted for each page that brings new ones: other processes bring some, too. */
const closeShare = 0.25;
/** Names of one read. */
const namesPerRead = 1_000;
/** How long what is known of a team is good; names that are gone make room when it is looked at again. */
const knownForMs = 60_000;
/** Teams, and names of each, that are remembered: some megabytes. */
const teamsMax = 500;
const knownNamesMax = 500;

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
  const teams = new Map<string, TeamNames>();

  function namesOf(teamId: string): TeamNames {
    const known = teams.get(teamId);
    if (known !== undefined && clock() - known.atMs < knownForMs) return known;
    const fresh = { atMs: clock(), known: new Set<string>(), count: undefined };
    if (teams.size >= teamsMax) teams.clear();
    teams.set(teamId, fresh);
    return fresh;
  }

  async function countNames(teamId: string): Promise<number> {
    let count = 0;
    for (let after = ''; count < namedMax; ) {
      const page = await projects.named(teamId, after, namesPerRead);
      count += page.length;
      if (page.length < namesPerRead) break;
      after = page.at(-1) ?? '';
    }
    return count;
  }

  async function isAdmitted(teamId: string, slug: string, tier: Tier): Promise<boolean> {
    const names = namesOf(teamId);
    if (names.known.has(slug)) return true;
    if (!(await projects.isNamed(teamId, slug))) {
      names.count ??= await countNames(teamId);
      if (names.count >= (tier === 'external' ? namedMax * externalShare : namedMax)) return false;
      names.count += 1;
    }
    if (names.known.size < knownNamesMax) names.known.add(slug);
    return true;
  }

  return {
    async admitted(teamId, items) {
      const names = namesOf(teamId);
      if ((names.count ?? 0) > namedMax * closeShare) names.count = undefined;
      const admitted: NamedProjects[] = [];
      for (const { tier, slugs, ...item } of items) {
        const kept: string[] = [];
        for (const slug of slugs) if (await isAdmitted(teamId, slug, tier)) kept.push(slug);
        admitted.push({ ...item, slugs: kept });
      }
      return admitted;
    },
  };
}

/** What is known of a team's names for a while. */
interface TeamNames {
  atMs: number;
  /** Some of those that items name. */
  known: Set<string>;
  /** How many there are, once a new one came. */
  count: number | undefined;
}
