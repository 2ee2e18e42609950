import type { Client } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import { given, translated } from './rpc-calls.ts';

/** A project that was created on the service side. */
export interface ProjectRecord {
  slug: string;
  name: string;
  brain_only: boolean;
}

/** The created projects of one team. Every method throws RpcError. */
export interface ProjectMethods {
  /** Creates a project, or sets the name of a project that items already mention. */
  create(project: { slug: string; name: string }, options?: CallOptions): Promise<ProjectRecord>;
  /** Gives a project another name; its slug stays. */
  rename(project: { slug: string; name: string }, options?: CallOptions): Promise<ProjectRecord>;
  /** Removes a created project. If items mention it, `still_named` is true and it stays in the list. */
  remove(slug: string, options?: CallOptions): Promise<{ slug: string; still_named: boolean }>;
}

/** Makes the methods. `teamId` returns the team's id, or an empty text if the caller's token names the team. */
export function projectMethods(
  content: Client<typeof ContentService>,
  teamId: (options?: CallOptions) => Promise<string>,
): ProjectMethods {
  return {
    create: ({ slug, name }, options) =>
      translated(async () => {
        const request = { teamId: await teamId(options), slug, name };
        const created = given((await content.createProject(request, options)).project);
        return { slug: created.slug, name: created.name, brain_only: created.brainOnly };
      }),
    rename: ({ slug, name }, options) =>
      translated(async () => {
        const request = { teamId: await teamId(options), slug, name };
        const renamed = given((await content.renameProject(request, options)).project);
        return { slug: renamed.slug, name: renamed.name, brain_only: renamed.brainOnly };
      }),
    remove: (slug, options) =>
      translated(async () => {
        const request = { teamId: await teamId(options), slug };
        const { stillNamed } = await content.removeProject(request, options);
        return { slug, still_named: stillNamed };
      }),
  };
}
