import { expect, test } from 'vitest';
import { demoText } from './banner.ts';
import type { Program } from './program.ts';

test('the keys of the demo are shown on a terminal, and in a log only where they are kept', () => {
  const demo = { team: 'demo', teamKey: 'tms_team_key', externalKey: 'tms_external_key', items: 3 };
  const addresses = { gateway: 'http://127.0.0.1:8080', rpc: '', metrics: '' };
  const program = { addresses, dataDirectory: { path: "/data/ada's" } } as Program;
  const shown = demoText(demo, program, { tms: 'tms', isTerminal: true });
  expect(shown.match(/tms_team_key|tms_external_key/g)).toEqual(['tms_team_key', 'tms_external_key']);
  const logged = demoText(demo, program, { tms: 'tms', isTerminal: false });
  expect(logged).not.toMatch(/tms_\w*key/);
  expect(logged).toContain("Its keys are in /data/ada's/demo.json (mode 0600).");
});
