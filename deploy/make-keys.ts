// Makes what the parts of one installation share, in the folder that is named: the key pair that signs and verifies
// caller tokens, and the administrator's token. What is there already stays: `node deploy/make-keys.ts <folder>`.
// With a second folder it also makes what docker-compose.yml needs: passwords of both stores, and each secret once more in
// a folder of its own there, so that a container can be given one without the others.
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

/** A password that may stand in a URL as it is. */
function password(name: string): string {
  const path = join(folder, name);
  if (!existsSync(path)) writeSecret(path, randomBytes(32).toString('hex'));
  return readFileSync(path, 'utf8');
}

if (handedOut !== undefined) {
  const [root, parts, redis] = ['mongodb-root', 'mongodb-parts', 'redis'].map((store) =>
    password(`${store}-password`),
  );
  const read = (name: string) => readFileSync(join(folder, name));
  // The hosts, the user and the replica set are those of docker-compose.yml and deploy/mongodb-ready.js.
  const copies: Record<string, Record<string, string | Buffer>> = {
    signing: { 'signing-key.pem': read('signing-key.pem') },
    verification: { 'verification-keys.pem': read('verification-keys.pem') },
    admin: { 'admin-token': read('admin-token') },
    'mongodb-url': { url: `mongodb://parts:${parts}@mongodb:27017/?replicaSet=rs0&authSource=admin` },
    'redis-url': { url: `redis://:${redis}@redis:6379` },
    mongodb: {
      'root-password': root ?? '',
      'parts-password': parts ?? '',
      'member-key': password('mongodb-member-key'),
    },
    redis: { 'redis.conf': `requirepass ${redis}\n`, password: redis ?? '' },
  };
  for (const [place, files] of Object.entries(copies)) {
    mkdirSync(join(handedOut, place), { recursive: true, mode: 0o700 });
    for (const [name, content] of Object.entries(files)) writeSecret(join(handedOut, place, name), content);
  }
}
