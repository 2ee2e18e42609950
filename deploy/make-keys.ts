// Makes what the parts of one installation share, in the folder that is named: the key pair that signs and verifies
// caller tokens, and the administrator's token. What is there already stays: `node deploy/make-keys.ts <folder>`.
// With a second folder, each secret is also copied to a folder of its own in it (`signing`, `verification`, `admin`), so
// that a part can be given one without the others.
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', handedOut] = process.argv.slice(2);
if (folder === '') throw new Error('usage: node deploy/make-keys.ts <folder> [<folder for copies>]');

/** Readable by its owner only; whole or not at all, so that a run that was cut short is made good by the next. */
function writeSecret(path: string, text: string | Buffer): void {
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    // 'wx' follows no link and takes no existing file, whose owner could read what is written.
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

// The signing key is written last: its presence says that its other half is there too.
if (!existsSync(join(folder, 'signing-key.pem'))) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeSecret(join(folder, 'verification-keys.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeSecret(join(folder, 'signing-key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
if (!existsSync(join(folder, 'admin-token'))) {
  writeSecret(join(folder, 'admin-token'), `tms_admin_${randomBytes(32).toString('base64url')}\n`);
}
if (handedOut !== undefined) {
  const places = { signing: 'signing-key.pem', verification: 'verification-keys.pem', admin: 'admin-token' };
  for (const [place, name] of Object.entries(places)) {
    mkdirSync(join(handedOut, place), { recursive: true, mode: 0o700 });
    writeSecret(join(handedOut, place, name), readFileSync(join(folder, name)));
  }
}
