import { expect, test } from 'vitest';
import { callDeadline } from './rpc-proxy.ts';

const maxMs = 120_000;

test.each([
  ['none', {}, maxMs, { 'connect-timeout-ms': '120000' }],
  ['a short one', { 'connect-timeout-ms': '250' }, 250, { 'connect-timeout-ms': '250' }],
  ['a long one', { 'connect-timeout-ms': '9999999' }, maxMs, { 'connect-timeout-ms': '120000' }],
  ['none that can be read', { 'connect-timeout-ms': 'soon' }, maxMs, {}],
])('a Connect call with %s has a deadline', (_, headers, timeoutMs, header) => {
  expect(callDeadline(headers, maxMs)).toEqual({ timeoutMs, header });
});

test.each([
  ['none', {}, maxMs, { 'grpc-timeout': '120000m' }],
  ['seconds', { 'grpc-timeout': '2S' }, 2_000, { 'grpc-timeout': '2000m' }],
  ['nanoseconds', { 'grpc-timeout': '99n' }, 1, { 'grpc-timeout': '1m' }],
  ['hours', { 'grpc-timeout': '99999999H' }, maxMs, { 'grpc-timeout': '120000m' }],
  ['none that can be read', { 'grpc-timeout': '-1S' }, maxMs, {}],
])('a gRPC call with %s has a deadline', (_, headers, timeoutMs, header) => {
  const grpc = { 'content-type': 'application/grpc+proto', ...headers };
  expect(callDeadline(grpc, maxMs)).toEqual({ timeoutMs, header });
});
