import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { startService } from '../support/service/running-service.ts';

test.skipIf(process.platform === 'win32')(
  'a data directory that was open to everybody, with files laid out for its secrets, gives none away',
  async () => {
    const directory = await temporaryDirectory();
    const dataDirectory = join(directory.path, 'data');
    const theirs = join(directory.path, 'theirs');
    await mkdir(dataDirectory);
    await writeFile(theirs, 'nothing');
    await chmod(theirs, 0o666);
    await chmod(dataDirectory, 0o777);
    await symlink(theirs, join(dataDirectory, 'admin.json.new'));
    await writeFile(join(dataDirectory, 'demo.json.new'), 'nothing');
    await writeFile(join(dataDirectory, 'auth.sqlite'), '');
    await chmod(join(dataDirectory, 'auth.sqlite'), 0o666);
    const service = await startService({ dataDirectory });
    try {
      expect(await readFile(theirs, 'utf8')).toBe('nothing');
      expect((await stat(dataDirectory)).mode & 0o022).toBe(0);
      for (const name of await readdir(dataDirectory)) {
        if (name.endsWith('.new')) continue;
        expect({ name, mode: (await stat(join(dataDirectory, name))).mode & 0o077 }).toEqual({
          name,
          mode: 0,
        });
      }
      expect(service.output().stderr).toContain('was open to other users');
    } finally {
      await service.remove();
      await directory.remove();
    }
  },
);
