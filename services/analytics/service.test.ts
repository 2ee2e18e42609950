import { AnalyticsService as descriptor } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { reader, teamForEachTest } from './team.fixture.ts';
import { testClient } from './test-client.fixture.ts';

describeEachEngine('the analytics service', (engine) => {
  const team = teamForEachTest(engine);

  test('external keys are refused by every method, others by those that are not for them', async () => {
    const { ada } = team.members;
    const external = { ...ada, caller: { ...ada.caller, tier: 'external' } } as const;
    const forAdministrators = [
      ...['ImportScan', 'ImportSnapshot', 'RescoreScans', 'RescoreSnapshots'],
      ...['ReadBackup', 'BeginRestore', 'RestoreRows', 'EndRestore'],
    ];
    for (const method of descriptor.methods) {
      const call = (principal: Principal | undefined) =>
        codeOf(testClient(team.service, principal)[method.localName as keyof ReturnType<typeof team.as>]({}));
      const refusal = forAdministrators.includes(method.name) ? 'permission_denied' : 'forbidden_tier';
      expect(await call(external), method.name).toBe(refusal);
      expect(await call(reader), method.name).toBe('permission_denied');
      expect(await call(undefined), method.name).toBe('unauthenticated');
      if (forAdministrators.includes(method.name)) expect(await call(ada)).toBe('permission_denied');
    }
  });

  test('it is ready once open', async () => {
    await expect(team.service.ready()).resolves.toBeUndefined();
  });
});
