import { Code, ConnectError } from '@connectrpc/connect';
import { AppError, errorCodes } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { appErrorFromRpc, connectErrorFrom } from './error-translation.ts';

test.each(errorCodes)('the code %s comes through with message and fields, without cause', (code) => {
  const violations = [{ pointer: '/a', detail: 'is wrong' }];
  const sent = connectErrorFrom(new AppError(code, 'Public.', { cause: 'private', violations }));
  expect(sent.cause).toBeUndefined();
  const received = appErrorFromRpc(sent);
  expect(received).toMatchObject({ code, message: 'Public.', violations });
});

test('a cap that was reached comes through whole', () => {
  const dailyCap = {
    scope: 'team' as const,
    capMicroDollars: 9_999_999_999_999,
    spentMicroDollars: 0,
    resetAt: Date.parse('2026-11-22T00:00:00.000Z'),
  };
  const sent = connectErrorFrom(new AppError('daily_cap_exceeded', 'Public.', { dailyCap }));
  expect(appErrorFromRpc(sent)).toMatchObject({ code: 'daily_cap_exceeded', dailyCap });
  expect(appErrorFromRpc(connectErrorFrom(new AppError('conflict', 'Public.'))).dailyCap).toBeUndefined();
});

test('a conflict says the checksum that is stored, where there is one to say', () => {
  const currentChecksum = `sha256:${'a'.repeat(64)}`;
  for (const told of [currentChecksum, undefined]) {
    const sent = connectErrorFrom(new AppError('conflict', 'Public.', { currentChecksum: told }));
    expect(appErrorFromRpc(sent)).toMatchObject({ code: 'conflict', currentChecksum: told });
  }
});

test('what is foreign is sent as internal, without its message', () => {
  const sent = connectErrorFrom(new Error('secret'));
  expect(sent).toMatchObject({ code: Code.Internal, rawMessage: 'Something went wrong on our side.' });
});

test.each([
  [Code.DeadlineExceeded, 'unavailable'],
  [Code.Unavailable, 'unavailable'],
  [Code.Canceled, 'cancelled'],
  [Code.Unauthenticated, 'unauthenticated'],
  [Code.Unknown, 'internal'],
  [Code.DataLoss, 'internal'],
])('a bare RPC error of code %i is read as %s, without its message', (code, expected) => {
  const received = appErrorFromRpc(new ConnectError('10.0.0.1 refused', code));
  expect(received.code).toBe(expected);
  expect(received.message).not.toContain('10.0.0.1');
});

test('what is no RPC error at all is read as internal', () => {
  expect(appErrorFromRpc(new TypeError('x'))).toMatchObject({ code: 'internal' });
});
