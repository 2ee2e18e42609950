import type { Filter } from 'mongodb';
import type { VersionPosition } from '../domain/scored-row.ts';

interface VersionedDocument {
  _id: string;
  team_id: string;
  version: number;
}

/** Matches rows of versions before `version` that come after a place in the order of version and id. */
export function ratedBeforeFilter(
  teamId: string,
  version: number,
  after: VersionPosition,
): Filter<VersionedDocument> {
  const later = [
    { version: after.version, _id: { $gt: after.id } },
    { version: { $gt: after.version, $lt: version } },
  ];
  return { team_id: teamId, version: { $lt: version }, $or: later };
}
