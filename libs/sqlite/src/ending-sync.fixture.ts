import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { openSqliteDatabase } from './sqlite-database.ts';

/**
 * The program of a process that writes two rows. The sync of the second fails, or the process is killed in its place. It
 * prints what was acknowledged.
 */
async function write(file: string, ending: string): Promise<void> {
  const database = openSqliteDatabase({ file, schema: 'CREATE TABLE rows (id INTEGER PRIMARY KEY) STRICT' });
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  for (const id of [1, 2]) {
    await database.write(() => void insert.run(id));
    console.log(`acknowledged ${id}`);
    const end = (_file: number, done: (error: Error) => void) => {
      if (ending === 'kill') process.kill(process.pid, 'SIGKILL');
      else setImmediate(done, new Error('EIO: i/o error, fdatasync'));
    };
    fs.fdatasync = end as unknown as typeof fs.fdatasync;
    syncBuiltinESMExports();
  }
}

if (import.meta.main) {
  const [file = '', ending = ''] = process.argv.slice(2);
  await write(file, ending);
}
