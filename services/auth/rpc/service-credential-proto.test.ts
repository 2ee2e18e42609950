import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { scopesFromProto, serviceCredentialToProto } from './service-credential-proto.ts';

test('a service credential is written with every field, times that are unset left out', () => {
  const fields = {
    credentialId: '0123456789ABCDEF',
    name: 'search',
    scopes: ['auth:read', 'feed:read'],
    createdAt: 1,
    expiresAt: 2,
  };
  const written = serviceCredentialToProto({ ...fields, revokedAt: null });
  expect(written).toMatchObject({ ...fields, createdAt: timestampFromMs(1), expiresAt: timestampFromMs(2) });
  expect(written.revokedAt).toBeUndefined();
});

test('a scope that is not known is refused, also among others', () => {
  expect(scopesFromProto(['feed:read', 'auth:read'])).toEqual(['feed:read', 'auth:read']);
  for (const scope of ['', 'feed:write', 'FEED:READ', 'feed:read ', 'toString']) {
    expect(() => scopesFromProto(['feed:read', scope]), scope).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        violations: [expect.objectContaining({ pointer: '/scopes' })],
      }),
    );
  }
});
