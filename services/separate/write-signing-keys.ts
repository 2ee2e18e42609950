import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the key pair that signs and verifies caller tokens, good until the next
 * start, and writes it to files that only the owner may read.
 */
export function writeSigningKeys(directory: string): {
  signingKeyFile: string;
  verificationKeysFile: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signingKeyFile = join(directory, 'signing-key.pem');
  const verificationKeysFile = join(directory, 'verification-keys.pem');
  writeAnew(signingKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeAnew(verificationKeysFile, publicKey.export({ type: 'spki', format: 'pem' }));
  return { signingKeyFile, verificationKeysFile };
}

/** Into a file that was not there before: whoever made one could read what is written to it. */
function writeAnew(file: string, text: string | Buffer): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
}
