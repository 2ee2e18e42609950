import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFileSystem } from './file-system.ts';

it.skipIf(!existsSync('/dev/full'))('a full disk is told with the path of the file', async () => {
  await expect(nodeFileSystem.append('/dev/full', Buffer.from('text'))).rejects.toMatchObject({
    code: 'ENOSPC',
    message: expect.stringContaining("'/dev/full'"),
  });
});
