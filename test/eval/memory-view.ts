import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentFromFile } from '../../libs/sync/src/format/item-file.ts';
import { itemTitle } from '../../services/content/domain/items/item.ts';
import { taskEntries } from '../../services/content/domain/tasks/task-entries.ts';
import { isLog, projectsOf } from '../../services/content/domain/tasks/task-source.ts';
import type { FeedDecision, FeedItem } from '../../services/query/domain/passages/feeds.ts';
import { fieldsOfItem } from '../../services/query/domain/passages/item-fields.ts';
import type { ItemPassages } from '../../services/query/domain/passages/passage.ts';
import { passagesFromJson } from '../../services/query/domain/passages/passage-store.ts';
import { cutItems } from '../../services/query/domain/passages/passages.ts';
import {
  decisionChange,
  decisionDocument,
  projectDocument,
  projectRow,
  type RowChange,
  taskChange,
} from '../../services/query/domain/rows/row.ts';
import type { View } from '../../services/query/domain/views/view.ts';
import { openIndexDatabase } from '../../services/query/search-index/index-database.ts';
import { storedView } from '../../services/query/search-index/stored-view.ts';
import { createTeamIndex } from '../../services/query/search-index/team-index.ts';
import type { PushedDocuments } from './push-documents.ts';
import type { TeamMemory } from './team-memory.ts';

/** The day on which all files of a memory are pushed, and on which its questions are asked. */
export const today = '2026-11-24';

/**
 * Returns what a team key sees of a memory, indexed in this process. A run of the service takes half a minute, this one
 * a second, so that every rule can be measured by itself.
 */
export async function viewOfMemory({ items: folder, rows }: TeamMemory): Promise<View> {
  const { database, index } = newIndex();
  const rowChanges: RowChange[] = [];
  const paths = await readdir(folder, { recursive: true });
  let seq = 0;
  const items: FeedItem[] = [];
  for (const rowKey of paths.filter((path) => path.endsWith('.md')).toSorted()) {
    const { content, frontmatter } = contentFromFile(await readFile(join(folder, rowKey)));
    const title = itemTitle(rowKey, content, frontmatter);
    seq += 1;
    const fields = fieldsOfItem({ rowKey, frontmatter, changedOn: today });
    items.push({ seq, rowKey, tier: 'team', title, content, fields });
    if (!isLog({ rowKey, frontmatter })) continue;
    const [folderProject = ''] = projectsOf({ rowKey, frontmatter });
    for (const [place, entry] of taskEntries(content).entries.entries()) {
      const { title: task, status, owner, due, project, tags, heading } = entry;
      const row = { seq, id: `${rowKey}#${place}`, tier: 'team', title: task, status, tags } as const;
      const source = { key: rowKey, heading: heading ?? '' };
      const said = {
        owner: owner ?? '',
        due: due ?? '',
        project: project ?? folderProject,
        updatedOn: today,
      };
      rowChanges.push(taskChange({ ...row, ...said, isGone: false, source }));
    }
  }
  for (const decision of rows.decisions) {
    const { ref: id, title, body, status, project, decided_on: decidedOn } = decision;
    seq += 1;
    const row: FeedDecision = {
      seq,
      id,
      tier: 'team',
      title,
      body,
      status,
      project: project ?? '',
      updatedOn: today,
      decidedOn: decidedOn ?? '',
      isGone: false,
    };
    items.push(decisionDocument(row));
    rowChanges.push(decisionChange(row));
  }
  const projects = new Set(items.map(({ fields }) => fields?.project ?? '').filter((slug) => slug !== ''));
  const projectDocuments: ItemPassages[] = [];
  const named = new Map(rows.projects.map(({ slug, name }) => [slug, name]));
  for (const slug of new Set([...projects, ...named.keys()])) {
    seq += 1;
    const project = { slug, name: named.get(slug) ?? slug };
    projectDocuments.push(projectDocument(project, seq));
    rowChanges.push(projectRow(project));
  }
  index.write(() => {
    for (const stored of cutItems(items)) index.applyItem({ ...stored, ...passagesFromJson(stored.json) });
    for (const document of projectDocuments) index.applyItem(document);
    for (const change of rowChanges) index.applyRow(change);
  });
  return storedView(database, 'team');
}

/** Returns the documents of a collection, indexed in this process as if they had been pushed. */
export function viewOfDocuments(items: PushedDocuments['items']): View {
  const { database, index } = newIndex();
  const feed = items.map(({ row_key: rowKey, content, frontmatter }, place): FeedItem => {
    const title = itemTitle(rowKey, content, frontmatter);
    const fields = fieldsOfItem({ rowKey, frontmatter, changedOn: today });
    return { seq: place + 1, rowKey, tier: 'team', title, content, fields };
  });
  index.write(() => {
    for (const stored of cutItems(feed)) index.applyItem({ ...stored, ...passagesFromJson(stored.json) });
  });
  return storedView(database, 'team');
}

function newIndex() {
  const database = openIndexDatabase(':memory:');
  const unbounded = { team: Number.MAX_SAFE_INTEGER, external: Number.MAX_SAFE_INTEGER };
  return { database, index: createTeamIndex(database, { limits: unbounded }) };
}
