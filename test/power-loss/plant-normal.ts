// Imported into the program before its own modules: every database gets `synchronous=NORMAL`.
import { DatabaseSync } from 'node:sqlite';

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function plant(sql) {
  return exec.call(this, sql.replace('synchronous=FULL', 'synchronous=NORMAL'));
};
