import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient } from './records.ts';
import { given } from './rpc-calls.ts';

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
  content: RecordClient<typeof ContentService>,
  teamId: (options?: CallOptions) => Promise<string>,
): ProjectMethods {
  return {
    create: async ({ slug, name }, options) =>
      given((await content.createProject({ teamId: await teamId(options), slug, name }, options)).project),
    rename: async ({ slug, name }, options) =>
      given((await content.renameProject({ teamId: await teamId(options), slug, name }, options)).project),
    remove: async (slug, options) => ({
      slug,
      ...(await content.removeProject({ teamId: await teamId(options), slug }, options)),
    }),
  };
}
