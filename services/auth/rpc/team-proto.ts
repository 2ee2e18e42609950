import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type Team as ProtoTeam, TeamSchema } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { Team } from '../domain/team.ts';

/** A team as RPC writes it. */
export function teamToProto({ teamId, slug, name, createdAt }: Team): ProtoTeam {
  return create(TeamSchema, { teamId, slug, name, createdAt: timestampFromMs(createdAt) });
}
