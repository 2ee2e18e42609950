import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

/** The certificate, the key and the trusted authority of one side of a connection, as PEM texts. */
export interface TestIdentity {
  certificate: string;
  key: string;
  authority: string;
}

/** Whether this machine can make certificates. If it cannot, a message says why. */
export const canMakeCertificates = spawnSync('openssl', ['version']).status === 0;
if (!canMakeCertificates) process.stderr.write('Tests of TLS are skipped: there is no openssl.\n');

const anyKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
const leaf = [
  ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:parts.test'],
  ['-addext', 'basicConstraints=critical,CA:FALSE'],
].flat();

/** Makes an authority and two identities that it certifies: a server at 127.0.0.1 or parts.test, and a client. */
export async function makeCertificates(): Promise<{ server: TestIdentity; client: TestIdentity }> {
  const { path, remove } = await temporaryDirectory();
  const read = (name: string) => readFileSync(join(path, name), 'utf8');
  const make = (name: string, more: string[]) => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const options = [...anyKey, '-subj', `/CN=${name}`, ...files, ...more];
    execFileSync('openssl', ['req', '-x509', ...options], { cwd: path, stdio: 'ignore' });
  };
  const identity = (name: string): TestIdentity => {
    make(name, ['-CA', 'authority.pem', '-CAkey', 'authority.key', ...leaf]);
    return { certificate: read(`${name}.pem`), key: read(`${name}.key`), authority: read('authority.pem') };
  };
  make('authority', []);
  const certificates = { server: identity('server'), client: identity('client') };
  await remove();
  return certificates;
}
