import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSigningKeys } from '@teammemory/rpc/auth/caller-token.ts';
import { canMakeCertificates, makeAuthority } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { freePort } from '@teammemory/testkit/free-port.ts';
import { alertsRaisedBy, describeWithPromtool } from '@teammemory/testkit/promtool.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { snapshot } from '../support/analytics/valid-bodies.ts';
import { serviceUrls } from '../support/deployment/part-process.ts';
import { type RunningPart, startPart } from '../support/deployment/running-part.ts';
import { api, item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

const timeoutMs = 120_000;
/** As often as an ordinary client asks in a minute. */
const rounds = 5;

const service = sharedService({ environment: {} });

/** A gateway of its own, beside those of the deployment, with settings of its own. */
async function gatewayWith(settings: Record<string, string>): Promise<RunningPart> {
  const gateway = await startPart('gateway', {
    ...serviceUrls(service()),
    RPC_PORT: '0',
    ONLY_GATEWAY: 'yes',
    SIGNING_KEY_FILE: join(service().dataDirectory, 'signing-key.pem'),
    ...settings,
  });
  onTestFinished(gateway.remove);
  return gateway;
}

/** Bodies of requests that need each part, by their path; none: it is read. */
const requests: readonly [path: string, body?: unknown][] = [
  ['items', { items: [item('a.md', 'Marmalade is kept in the cellar.')] }],
  ['items'],
  ['query', { q: 'where is the marmalade kept' }],
  ['metrics', snapshot()],
];

/**
 * Returns the alerts that a gateway with these settings raises, and the statuses of its answers. Clients ask until `isFelt` is
 * true of its metrics.
 */
async function alertsOf(
  settings: Record<string, string>,
  isFelt: (metrics: string) => boolean = () => true,
): Promise<{ raised: string[]; statuses: number[] }> {
  const gateway = await gatewayWith(settings);
  const team = await newTeam(service());
  const scrape = async () => (await fetch(gateway.metricsUrl)).text();
  const before = await scrape();
  const statuses: number[] = [];
  await eventually('the fault is felt', async () => {
    for (const [path, body] of Array.from({ length: rounds }, () => requests).flat()) {
      const answer = await api({ url: gateway.url ?? '' }, team, team.teamKey, `/api/v1/${path}`, { body });
      statuses.push(answer.status);
    }
    return isFelt(await scrape());
  });
  return { raised: alertsRaisedBy(before, await scrape()), statuses };
}

describeWithPromtool('alerts of a gateway', () => {
  test('there is none while it reaches every part', { timeout: timeoutMs }, async () => {
    const { raised, statuses } = await alertsOf({});
    expect([raised, statuses.filter((status) => status >= 400)]).toEqual([[], []]);
  });

  test.each(['ANALYTICS_URL', 'AUTH_URL', 'CONTENT_URL', 'QUERY_URL'])(
    'a part that cannot be reached at its %s is named, and nothing else is',
    { timeout: timeoutMs },
    async (setting) => {
      // A gateway that finds a process gone pauses before it tries again.
      const failures = /event="connection_failed"\} (\d+)/g;
      const { raised, statuses } = await alertsOf(
        { [setting]: `http://127.0.0.1:${await freePort()}` },
        (metrics) => [...metrics.matchAll(failures)].some(([, count]) => Number(count) >= 3),
      );
      expect(raised).toEqual(['TeamMemoryPartUnreachable', 'TeamMemoryUnavailable']);
      expect(statuses).toContain(503);
    },
  );

  test('a signing key that the parts do not know', { timeout: timeoutMs }, async () => {
    const key = generateSigningKeys().privateKey.export({ type: 'pkcs8', format: 'pem' });
    const { raised, statuses } = await alertsOf({ SIGNING_KEY_FILE: '', SIGNING_KEY: key.toString() });
    expect(raised).toEqual(['TeamMemoryUnavailable']);
    expect(new Set(statuses)).toEqual(new Set([503]));
  });

  test.skipIf(!canMakeCertificates)(
    'certificates that expire tomorrow, and new ones that cannot be used',
    { timeout: timeoutMs },
    async () => {
      const [authority, { path, remove }] = [await makeAuthority(), await temporaryDirectory()];
      onTestFinished(async () => void (await Promise.all([authority.remove(), remove()])));
      const identity = authority.certify('a');
      const files = ['certificate', 'key', 'authority'] as const;
      for (const name of files) writeFileSync(join(path, name), identity[name]);
      // The parts of the deployment have no certificates, so it asks none of them.
      const nobody = `https://127.0.0.1:${await freePort()}`;
      const gateway = await gatewayWith({
        ...Object.fromEntries(Object.keys(serviceUrls(service())).map((setting) => [setting, nobody])),
        ...Object.fromEntries(files.map((name) => [`TLS_${name.toUpperCase()}_FILE`, join(path, name)])),
      });
      const nowSeconds = Math.floor(Date.now() / 1_000);
      // The time of promtool begins with 0.
      const scrape = async () =>
        (await (await fetch(gateway.metricsUrl)).text()).replace(
          /^(teammemory_certificate_expiry_timestamp_seconds\{.*\}) (\d+)$/gm,
          (_, series, seconds) => `${series} ${seconds - nowSeconds}`,
        );
      const before = await scrape();
      expect(alertsRaisedBy(before, before)).toEqual(['TeamMemoryCertificateExpires']);
      writeFileSync(join(path, 'key'), authority.certify('b').key);
      await eventually(
        'the key is refused',
        async () => /certificate_reload_failures_total 1/.test(await scrape()),
        { withinMs: 60_000, everyMs: 200 },
      );
      expect(alertsRaisedBy(before, await scrape())).toEqual([
        'TeamMemoryCertificateExpires',
        'TeamMemoryCertificateNotRead',
      ]);
    },
  );
});
