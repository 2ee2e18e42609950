import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
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
  writeFileSync(signingKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(verificationKeysFile, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o600 });
  return { signingKeyFile, verificationKeysFile };
}
