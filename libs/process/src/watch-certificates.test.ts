import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@teammemory/log/log.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import {
  canMakeCertificates,
  makeAuthority,
  type TestAuthority,
  type TestIdentity,
} from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchCertificates } from './watch-certificates.ts';

const reason = canMakeCertificates ? '' : ' (skipped: there is no openssl)';
const dayMs = 86_400_000;

describe.skipIf(!canMakeCertificates)(`certificates that are read again${reason}`, () => {
  let authority: TestAuthority;
  let other: TestAuthority;
  beforeAll(async () => {
    authority = await makeAuthority();
    other = await makeAuthority();
  });
  afterAll(async () => {
    await authority.remove();
    await other.remove();
  });

  test('a changed pair is used, and the metric tells when it expires', async () => {
    const { watched, write, looks, metric } = await watchedFiles();
    const before = Number(
      await metric('teammemory_certificate_expiry_timestamp_seconds{which="certificate"}'),
    );
    expect(before * 1_000).toBeGreaterThan(Date.now() + 0.9 * dayMs);
    const next = authority.certify('next');
    write(next);
    await looks(2);
    expect(watched.present().certificate).toBe(next.certificate.trimEnd());
    expect(watched.present().key).toBe(next.key.trimEnd());
    const after = Number(
      await metric('teammemory_certificate_expiry_timestamp_seconds{which="certificate"}'),
    );
    expect(after).toBeGreaterThanOrEqual(before);
    expect(
      Number(await metric('teammemory_certificate_expiry_timestamp_seconds{which="authority"}')),
    ).toBeLessThan(Date.now() / 1_000 + 86_400);
    expect(await metric('teammemory_certificate_reload_failures_total')).toBe('0');
  });

  test('a certificate that an authority in between signed is used, if that is in the file, too', async () => {
    const { watched, write, looks, errors } = await watchedFiles();
    const chained = authority.certifyThroughAnother('chained');
    write(chained);
    await looks(2);
    expect(watched.present().certificate).toBe(chained.certificate.trimEnd());
    const [own = ''] = chained.certificate.split(/(?<=END CERTIFICATE-----\n)/);
    write({ ...chained, certificate: own });
    await looks(2);
    expect(errors()).toMatchObject([{ fault: 'the authority did not sign the certificate' }]);
    expect(watched.present().certificate).toBe(chained.certificate.trimEnd());
  });

  test('while nothing changes, the identity is the same object', async () => {
    const { watched, looks } = await watchedFiles();
    const first = watched.present();
    await looks(3);
    expect(watched.present()).toBe(first);
  });

  test('what cannot be used is logged once as an error and counted, and the old pair stays until it is mended', async () => {
    const { watched, write, looks, metric, errors } = await watchedFiles();
    const first = watched.present();
    const [one, two] = [authority.certify('one'), authority.certify('two')];
    const bad: [fault: string, identity: Partial<TestIdentity>][] = [
      ['the key is not PEM, or does not belong to the certificate', { certificate: one.certificate }],
      ['the certificate is not PEM', { certificate: '' }],
      ['the certificate is not PEM', { certificate: `${one.certificate}${two.certificate.slice(0, 200)}` }],
      ['the key is not PEM, or does not belong to the certificate', { key: one.key.slice(0, 60) }],
      ['the authority is not PEM', { authority: 'none' }],
      ['the authority is not PEM', { authority: one.authority.slice(0, -40) }],
      ['the authority did not sign the certificate', { authority: other.certify('x').authority }],
    ];
    for (const [number, [fault, identity]] of bad.entries()) {
      write({ ...first, ...identity });
      await looks(1);
      expect(errors()).toHaveLength(number);
      await looks(3);
      expect(errors().at(-1)).toMatchObject({ fault });
      expect(errors()).toHaveLength(number + 1);
      expect(watched.present()).toBe(first);
    }
    expect(JSON.stringify(errors())).not.toContain('BEGIN');
    expect(await metric('teammemory_certificate_reload_failures_total')).toBe(String(bad.length));
    write(one);
    await looks(2);
    expect(watched.present().certificate).toBe(one.certificate.trimEnd());
  });

  test('an expired certificate, or one of tomorrow, does not replace one that is valid', async () => {
    const next = authority.certify('next');
    for (const [days, fault] of [
      [3, 'the certificate has expired'],
      [-3, 'the certificate is not valid yet'],
    ] as const) {
      const { watched, write, looks, errors } = await watchedFiles({
        clock: () => Date.now() + days * dayMs,
      });
      const first = watched.present();
      write(next);
      await looks(2);
      expect(errors()).toMatchObject([{ fault }]);
      expect(watched.present()).toBe(first);
    }
  });

  test('a missing file keeps the old pair, and a pair is never taken from a file that was half-written', async () => {
    const { watched, write, remove, looks, errors } = await watchedFiles();
    const first = watched.present();
    remove('key');
    await looks(3);
    expect(errors()).toMatchObject([{ fault: 'a file cannot be read' }]);
    // An authority that is written in two steps is a whole one in between, but without its second certificate.
    const [ours, theirs] = [first.authority, other.certify('x').authority];
    write({ ...first, authority: `${ours}\n` });
    await looks(1);
    const whole = { ...first, authority: `${theirs}${ours}` };
    write({ ...first, authority: theirs });
    await looks(1);
    write(whole);
    await looks(1);
    expect(watched.present()).toBe(first);
    await looks(1);
    expect(watched.present().authority).toBe(whole.authority.trimEnd());
  });

  test('a volume of Kubernetes, where a link is replaced and the files are links through it, is followed', async () => {
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const names = { certificate: 'tls.crt', key: 'tls.key', authority: 'ca.crt' };
    const publish = (version: string, identity: TestIdentity) => {
      mkdirSync(join(path, version));
      for (const [name, file] of Object.entries(names)) {
        writeFileSync(join(path, version, file), identity[name as keyof TestIdentity]);
      }
      symlinkSync(version, join(path, '..data_tmp'));
      renameSync(join(path, '..data_tmp'), join(path, '..data'));
    };
    const first = authority.certify('first');
    publish('..2026_1', first);
    for (const file of Object.values(names)) symlinkSync(join('..data', file), join(path, file));
    const files = Object.fromEntries(Object.entries(names).map(([name, file]) => [name, join(path, file)]));
    const metrics = createMetrics();
    const log = silentLog();
    const error = vi.spyOn(log, 'error');
    const watched = watchCertificates({
      identity: first,
      files,
      clock: Date.now,
      log,
      metrics,
      lookEveryMs: 5,
    });
    onTestFinished(watched.close);
    for (let version = 2; version <= 5; version += 1) {
      const next = authority.certify('next');
      publish(`..2026_${version}`, next);
      rmSync(join(path, `..2026_${version - 1}`), { recursive: true });
      await eventually('the next', () => watched.present().key === next.key.trimEnd());
      expect(watched.present().certificate).toBe(next.certificate.trimEnd());
    }
    expect(error).not.toHaveBeenCalled();
  });

  test('values of the environment stay, and only files are read', async () => {
    const first = authority.certify('first');
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const bundle = `${first.authority}${other.certify('x').authority}`;
    writeFileSync(join(path, 'ca.pem'), first.authority);
    const watched = watchCertificates({
      identity: first,
      files: { authority: join(path, 'ca.pem') },
      lookEveryMs: 5,
      clock: Date.now,
      log: silentLog(),
      metrics: createMetrics(),
    });
    onTestFinished(watched.close);
    writeFileSync(join(path, 'ca.pem'), bundle);
    await eventually('the bundle', () => watched.present().authority === bundle.trimEnd());
    expect(watched.present().key).toBe(first.key);
  });

  /** A pair in files that are looked at all the time. */
  async function watchedFiles({ clock = Date.now } = {}) {
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const files = {
      certificate: join(path, 'certificate.pem'),
      key: join(path, 'key.pem'),
      authority: join(path, 'ca.pem'),
    };
    const names = ['certificate', 'key', 'authority'] as const;
    const write = (identity: TestIdentity) => {
      for (const name of names) writeFileSync(files[name], identity[name]);
    };
    const made = authority.certify('first');
    write(made);
    const identity = {
      certificate: made.certificate.trimEnd(),
      key: made.key.trimEnd(),
      authority: made.authority.trimEnd(),
    };
    const metrics = createMetrics();
    const log = silentLog();
    const error = vi.spyOn(log, 'error');
    const watched = watchCertificates({ identity, files, clock, log, metrics, lookEveryMs: 3_600_000 });
    onTestFinished(watched.close);
    return {
      watched,
      write,
      remove: (name: keyof typeof files) => rmSync(files[name]),
      async looks(times: number) {
        for (let look = 0; look < times; look += 1) await watched.look();
      },
      async metric(name: string) {
        const text = await metrics.registry.metrics();
        const line = text.split('\n').find((one) => one.startsWith(`${name} `));
        return line?.split(' ')[1];
      },
      errors: () => error.mock.calls.map(([fields]) => fields),
    };
  }
});
