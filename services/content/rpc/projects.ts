import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ContentService, ProjectActivitySchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller, requireScopeOrAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto, teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import type { ProgressStore, Projection } from '../domain/feed/progress.ts';
import {
  createProject,
  listProjectItems,
  listProjects,
  maxPageItems,
  maxPageProjects,
  type ProjectStore,
  removeProject,
  renameProject,
} from '../domain/projects/projects.ts';
import { type ProjectActivity, readProjectActivity } from '../domain/tasks/project-activity.ts';
import type { NoteExport } from './feeds.ts';
import { requireNoSecrets } from './require-no-secrets.ts';
import { requireTeamChange } from './team-principal.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Dependencies {
  projects: ProjectStore;
  projection: Projection;
  noteExport: NoteExport;
  audit: Audit;
  progress: ProgressStore;
  maxProjects: number;
  findSecrets: SecretFinder;
}

/** Handles `ContentService.ListProjects`. */
export function listProjectsHandler({ projects, projection }: Dependencies): Handlers['listProjects'] {
  return async (request, context) =>
    pageOfProjects({ projects, projection }, requireCaller(context), request);
}

/** Handles `ContentService.ReadProjects`: what team-tier keys read, of the team that the message names. */
export function readProjectsHandler({
  noteExport,
  projects,
  projection,
}: Dependencies): Handlers['readProjects'] {
  return async (request, context) => {
    requireScopeOrAdministrator(context, 'feed:read', request.teamId);
    const teamId = teamIdFromProto(request.teamId);
    await noteExport(context, teamId);
    return pageOfProjects({ projects, projection }, { teamId, tier: 'team' }, request);
  };
}

async function pageOfProjects(
  stores: Pick<Dependencies, 'projects' | 'projection'>,
  reader: Parameters<typeof listProjects>[1],
  { pageToken, pageSize }: { pageToken: string; pageSize: number },
) {
  const query = { afterSlug: pageToken, limit: pageSizeFromProto(pageSize, maxPageProjects) };
  const { projects, nextSlug } = await listProjects(stores, reader, query);
  return { projects, nextPageToken: nextSlug };
}

/** Handles `ContentService.CreateProject`. */
export function createProjectHandler({
  audit,
  projects,
  progress,
  projection,
  maxProjects,
  findSecrets,
}: Dependencies): Handlers['createProject'] {
  return async (request, context) => {
    const { teamId } = requireTeamChange(context, request.teamId);
    const { slug, name } = request;
    requireNoSecrets(findSecrets, { name });
    const project = await audit.act(
      context,
      { action: 'project.create', teamId, object: slug, after: { name } },
      () => createProject({ projects, progress, projection, maxProjects }, teamId, { slug, name }),
    );
    return { project };
  };
}

/** Handles `ContentService.RemoveProject`. */
export function removeProjectHandler({
  audit,
  projects,
  progress,
  projection,
}: Dependencies): Handlers['removeProject'] {
  return async (request, context) => {
    const teamId = requireProjectChange(context, request.teamId);
    const { slug } = request;
    const { isNamed } = await audit.act(context, { action: 'project.remove', teamId, object: slug }, () =>
      removeProject({ projects, progress, projection }, teamId, slug),
    );
    return { stillNamed: isNamed };
  };
}

/** Handles `ContentService.RenameProject`. */
export function renameProjectHandler({
  audit,
  projects,
  progress,
  projection,
  maxProjects,
  findSecrets,
}: Dependencies): Handlers['renameProject'] {
  return async (request, context) => {
    const teamId = requireProjectChange(context, request.teamId);
    const { slug, name } = request;
    requireNoSecrets(findSecrets, { name });
    const project = await audit.act(
      context,
      { action: 'project.rename', teamId, object: slug, after: { name } },
      () => renameProject({ projects, progress, projection, maxProjects }, teamId, { slug, name }),
    );
    return { project };
  };
}

/** Handles `ContentService.ListProjectItems`. */
export function listProjectItemsHandler({
  projects,
  projection,
}: Dependencies): Handlers['listProjectItems'] {
  return async ({ slug, pageToken, pageSize }, context) => {
    const query = { slug, afterRowKey: pageToken, limit: pageSizeFromProto(pageSize, maxPageItems) };
    const { rowKeys, nextRowKey } = await listProjectItems(
      { projects, projection },
      requireCaller(context),
      query,
    );
    return { rowKeys, nextPageToken: nextRowKey };
  };
}

/** Handles `ContentService.ReadProjectActivity`. */
export function readProjectActivityHandler({
  projects,
  projection,
  items,
  tasks,
}: Dependencies & { items: FeedStore; tasks: FeedStore }): Handlers['readProjectActivity'] {
  return async ({ slugs }, context) => {
    const { activity, hasMoreTasks } = await readProjectActivity(
      { projects, projection, items, tasks },
      requireCaller(context),
      slugs,
    );
    return { projects: activity.map(activityToProto), hasMoreTasks };
  };
}

function activityToProto({
  slug,
  items,
  openTasks,
  changedAtMs,
}: ProjectActivity): MessageInitShape<typeof ProjectActivitySchema> {
  const changed = changedAtMs === undefined ? {} : { changedAt: timestampFromMs(changedAtMs) };
  return { slug, items, openTasks, ...changed };
}

/** Returns the team of a caller who may change its projects. Nobody is known as the one who wrote a project last. */
function requireProjectChange(context: HandlerContext, namedTeamId: string): string {
  const { teamId, by } = requireTeamChange(context, namedTeamId);
  if (by.access === 'own') {
    throw new AppError('forbidden_access', 'The access of this key is own; a project belongs to the team.');
  }
  return teamId;
}
