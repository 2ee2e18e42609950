import { hasOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { limits } from '@teammemory/proto/common/v1/limits_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { describe, expect, test } from 'vitest';
import { isOpenMethod, limitsOf } from './method-limits.ts';

const methods = [AnalyticsService, AuthService, ContentService, QueryService].flatMap(
  (service) => service.methods,
);
const howTo = `has no limits. Say them in its proto, generous for honest use, and run npm run generate:
  option (teammemory.common.v1.limits) = {
    max_request_bytes: 16384
    max_elements: 64
    member_calls_per_minute: 60
  };
with gateway_only: true where its handler begins with requireGatewayCaller, and administrators_only: true where a large
message is for administrators.`;

/** Methods that change something and do not ask again who calls: for the gateway, or for all data at once. */
const forParts =
  /^(?:ExchangeCredential|Authenticate|OpenSession|EndSession|IssueAppTokens|RevokeAppToken|RegisterApp|RecordRefusals|BeginRestore|RestoreRows|EndRestore)$/;

test('whatever outlives a token is asked for again: keys, members, addresses, sessions and webhooks', () => {
  const lasting = methods.filter(
    ({ parent, name, idempotency }) =>
      idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS &&
      (parent === AuthService ? !forParts.test(name) : name.includes('Webhook')),
  );
  expect(lasting.length).toBeGreaterThan(20);
  const asking = methods.filter((method) => limitsOf(method).confirmsCaller);
  expect(lasting.filter((method) => !asking.includes(method)).map(({ name }) => name)).toEqual([]);
});

describe.each(methods.map((method) => ({ name: `${method.parent.typeName}.${method.name}`, method })))(
  '$name',
  ({ name, method }) => {
    test('says in the proto what it takes at most', () => {
      expect(hasOption(method, limits), `${name} ${howTo}`).toBe(true);
      const { maxRequestBytes, maxElements, memberCallsPerMinute, gatewayOnly, administratorsOnly } =
        limitsOf(method);
      expect(Math.min(maxRequestBytes, maxElements, memberCallsPerMinute)).toBeGreaterThan(0);
      // What others than the gateway and administrators may send never takes longer to decode than a turn of the event loop may.
      if (!gatewayOnly && !administratorsOnly)
        expect([maxRequestBytes <= 4 * 1024 * 1024, maxElements <= 10_000]).toEqual([true, true]);
      if (isOpenMethod(method)) expect(maxRequestBytes).toBeLessThanOrEqual(64 * 1024);
    });
  },
);
