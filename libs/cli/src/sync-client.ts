import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import type { SyncClient } from '@teammemory/sync/service.ts';

/** Makes the client of the SDK what synchronising needs: a version that removed the item has no content to read. */
export function syncClientOf(client: TeamMemoryClient): SyncClient {
  return {
    ...client,
    listItemVersions: async (rowKey, options) => {
      const page = await client.listItemVersions(rowKey, options);
      return { ...page, next_cursor: page.next_cursor ?? '' };
    },
    getItemVersion: async (rowKey, revision, options) => {
      const version = await client.getItemVersion(rowKey, revision, options);
      if (!version.deleted) return version;
      throw new ProblemError({ status: 404, code: 'not_found', detail: 'This version removed the item.' });
    },
  };
}
