import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { teamToProto } from './team-proto.ts';

test('a team is shown as it is stored', () => {
  expect(teamToProto({ teamId: 'id', slug: 'acme', name: 'Acme', createdAt: 1_500 })).toMatchObject({
    teamId: 'id',
    slug: 'acme',
    name: 'Acme',
    createdAt: timestampFromMs(1_500),
  });
});
