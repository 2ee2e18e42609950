import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** Whether certificates can be made here; prints why not. */
export const canMakeCertificates = spawnSync('openssl', ['version']).status === 0;
if (!canMakeCertificates) process.stderr.write('Tests of TLS are skipped: there is no openssl.\n');

const anyKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
const leaf = [
  ['-addext', 'subjectAltName=IP:127.0.0.1'],
  ['-addext', 'basicConstraints=critical,CA:FALSE'],
].flat();

/** A new authority and what it certified: one identity for a server on the loopback address, and one for a client. */
export async function makeCertificates(): Promise<{ server: TlsIdentity; client: TlsIdentity }> {
  const { path, remove } = await temporaryDirectory();
  const read = (name: string) => readFileSync(join(path, name), 'utf8');
  const make = (name: string, more: string[]) => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const options = [...anyKey, '-subj', `/CN=${name}`, ...files, ...more];
    execFileSync('openssl', ['req', '-x509', ...options], { cwd: path, stdio: 'ignore' });
  };
  const identity = (name: string): TlsIdentity => {
    make(name, ['-CA', 'authority.pem', '-CAkey', 'authority.key', ...leaf]);
    return { certificate: read(`${name}.pem`), key: read(`${name}.key`), authority: read('authority.pem') };
  };
  make('authority', []);
  const certificates = { server: identity('server'), client: identity('client') };
  await remove();
  return certificates;
}
