import { runAll } from './run.ts';

await runAll({ tms: 'node_modules/.bin/tms' });
