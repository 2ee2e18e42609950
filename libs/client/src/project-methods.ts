import type { Client } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from './call-options.ts';
import type { ProjectRecord } from './decision-record.ts';
import { given, translated } from './rpc-answer.ts';

/** The projects of one team that are made on the service side. Every method throws RpcError. */
export interface ProjectMethods {
  /** Creates a project, or gives one that items name its name. */
  create(project: { slug: string; name: string }, options?: CallOptions): Promise<ProjectRecord>;
  /** Removes a created project; `still_named` says that items name it, so that it stays in the list. */
  remove(slug: string, options?: CallOptions): Promise<{ slug: string; still_named: boolean }>;
}

/** Makes the methods; `teamId` gives the team's id, which is empty where the caller's token says it. */
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
    remove: (slug, options) =>
      translated(async () => {
        const request = { teamId: await teamId(options), slug };
        const { stillNamed } = await content.removeProject(request, options);
        return { slug, still_named: stillNamed };
      }),
  };
}
