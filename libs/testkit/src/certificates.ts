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

/** An authority that certifies identities for 127.0.0.1 and parts.test. */
export interface TestAuthority {
  /** Makes a new key and a certificate for it; each has a serial number of its own. */
  certify(name: string): TestIdentity;
  /** As `certify`, by an authority in between, whose certificate follows the identity's own. */
  certifyThroughAnother(name: string): TestIdentity;
  remove(): Promise<void>;
}

/** Makes an authority, whose files are in a temporary directory until it is removed. */
export async function makeAuthority(): Promise<TestAuthority> {
  const { path, remove } = await temporaryDirectory();
  const read = (name: string) => readFileSync(join(path, name), 'utf8');
  const make = (name: string, more: string[]) => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const options = [...anyKey, '-subj', `/CN=${name}`, ...files, ...more];
    execFileSync('openssl', ['req', '-x509', ...options], { cwd: path, stdio: 'ignore' });
  };
  const signedBy = (name: string) => ['-CA', `${name}.pem`, '-CAkey', `${name}.key`];
  make('authority', []);
  return {
    certify(name) {
      make(name, [...signedBy('authority'), ...leaf]);
      return { certificate: read(`${name}.pem`), key: read(`${name}.key`), authority: read('authority.pem') };
    },
    certifyThroughAnother(name) {
      make('between', [...signedBy('authority'), '-addext', 'basicConstraints=critical,CA:TRUE']);
      make(name, [...signedBy('between'), ...leaf]);
      const certificate = `${read(`${name}.pem`)}${read('between.pem')}`;
      return { certificate, key: read(`${name}.key`), authority: read('authority.pem') };
    },
    remove,
  };
}

/** Makes an authority and two identities that it certifies: a server at 127.0.0.1 or parts.test, and a client. */
export async function makeCertificates(): Promise<{ server: TestIdentity; client: TestIdentity }> {
  const authority = await makeAuthority();
  const certificates = { server: authority.certify('server'), client: authority.certify('client') };
  await authority.remove();
  return certificates;
}
