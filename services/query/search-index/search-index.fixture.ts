import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOfMachine } from '@teammemory/sqlite/start-of-machine.ts';
import { onTestFinished } from 'vitest';
import type { IndexFigures, IndexHost } from '../domain/index/index-host.ts';
import type { ItemPassages, Tier } from '../domain/passages/passage.ts';
import { readQuestion } from '../domain/ranking/question.ts';
import { type Findings, searchView } from '../domain/views/search-view.ts';
import type { View } from '../domain/views/view.ts';
import { createEmbeddingBacklog } from './embedding-backlog.ts';
import { openIndexDatabase, programFingerprint } from './index-database.ts';
import { createLocalIndexHost, type IndexHostSettings } from './index-host.ts';
import { storedView } from './stored-view.ts';
import { createTeamIndex, type TeamIndex, type ViewLimits } from './team-index.ts';

const unbounded: ViewLimits = { team: Number.MAX_SAFE_INTEGER, external: Number.MAX_SAFE_INTEGER };

/** A view that can be asked at once. */
export type SearchableView = View & {
  search(question: string, limit: number, options?: { vector?: Float32Array; today?: string }): Findings;
};

/** The index of one team, in memory. */
export interface IndexInMemory
  extends Pick<TeamIndex, 'applyRow' | 'applyProjects' | 'keepProjects' | 'hasRoomAgain'> {
  apply(item: ItemPassages): void;
  /** As it is now. */
  view(tier: Tier): SearchableView;
  /** Items that wait for vectors, which are taken out of the backlog. */
  takeBacklog(): readonly string[];
}

export function indexInMemory({
  limits = unbounded,
  embeds = false,
}: {
  limits?: ViewLimits;
  embeds?: boolean;
} = {}): IndexInMemory {
  const database = openIndexDatabase(':memory:');
  const index = createTeamIndex(database, { limits, embeds });
  return {
    apply: (item) => index.write(() => index.applyItem(item)),
    applyRow: (change) => index.write(() => index.applyRow(change)),
    applyProjects: (page) => index.write(() => index.applyProjects(page)),
    keepProjects: (all) => index.write(() => index.keepProjects(all)),
    hasRoomAgain: () => index.write(() => index.hasRoomAgain()),
    view(tier) {
      const view = storedView(database, tier);
      const search: SearchableView['search'] = (question, limit, { vector, today } = {}) =>
        searchView(view, readQuestion(question, today), limit, vector);
      return { ...view, search };
    },
    takeBacklog: () =>
      index.write(
        () => createEmbeddingBacklog(database, index).take({ items: 1_000, passages: 10_000 }).rowKeys,
      ),
  };
}

/** A directory for the files of indexes, which is gone with the test. */
export function indexDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'indexes-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A host whose work is done in this thread. */
export function hostInThisThread(
  settings: Partial<IndexHostSettings> = {},
): IndexHost & { figures(): IndexFigures } {
  const { directory = indexDirectory(), maxBytes = 2 ** 30 } = settings;
  const { embeds = false, embeddingModel = '' } = settings;
  const host = createLocalIndexHost({
    directory,
    maxBytes,
    embeds,
    embeddingModel,
    program: programFingerprint(startOfMachine()),
  });
  const teams = new Set<string>();
  const sum = (of: (team: string) => number | undefined) =>
    [...teams].reduce((total, team) => total + (of(team) ?? 0), 0);
  return {
    cut: async (...args) => host.cut(...args),
    open: async (...args) => {
      teams.add(args[0]);
      return host.open(...args);
    },
    apply: async (...args) => host.apply(...args),
    forget: async (...args) => host.forget(...args),
    search: async (teamId, request) => host.search(teamId, request),
    vectors: async (...args) => host.vectors(...args),
    coverage: async (...args) => host.coverage(...args),
    indexedItems: async (...args) => host.indexedItems(...args),
    itemsNamed: async (...args) => host.itemsNamed(...args),
    notesToCheck: async (...args) => host.notesToCheck(...args),
    takeEmbeddingWork: async (...args) => host.takeEmbeddingWork(...args),
    addToBacklog: async (...args) => host.addToBacklog(...args),
    refillBacklog: async (...args) => host.refillBacklog(...args),
    embed: async (...args) => host.embed(...args),
    forgetVectors: async (...args) => host.forgetVectors(...args),
    close: async () => host.close(),
    figures: () => ({
      teams: teams.size,
      bytes: sum((team) => host.figuresOf(team)?.bytes),
      unembedded: sum((team) => host.figuresOf(team)?.unembedded),
      missing: sum((team) => host.figuresOf(team)?.missing),
    }),
  };
}
