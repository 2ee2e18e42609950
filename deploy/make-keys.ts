// Makes what the parts of one installation share, in the folder that is named: the key pair that signs and verifies
// caller tokens, and the administrator's token. What is there already stays: `node deploy/make-keys.ts <folder>`.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
if (folder === '') throw new Error('usage: node deploy/make-keys.ts <folder>');

/** Readable by its owner only; whole or not at all, so that a run that was cut short is made good by the next. */
function writeSecret(name: string, text: string | Buffer): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

// The signing key is written last: its presence says that its other half is there too.
if (!existsSync(join(folder, 'signing-key.pem'))) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeSecret('verification-keys.pem', publicKey.export({ type: 'spki', format: 'pem' }));
  writeSecret('signing-key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
if (!existsSync(join(folder, 'admin-token'))) {
  writeSecret('admin-token', `tms_admin_${randomBytes(32).toString('base64url')}\n`);
}
