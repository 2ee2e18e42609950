// `npm run monitoring` writes the pages on metrics and alerts, the rules for Prometheus and the page for Grafana. A test compares.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { monitoringFiles } from './make-files.ts';

for (const [path, text] of Object.entries(monitoringFiles())) {
  const file = join(import.meta.dirname, '../../../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
