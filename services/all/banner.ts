import { join, resolve } from 'node:path';
import type { Demo } from './demo.ts';
import { demoFile } from './planned-demo.ts';
import type { Program } from './program.ts';

/** Returns the text shown on the terminal once the service is up. */
export function banner(program: Program, host: string): string {
  const { addresses, engine, dataDirectory } = program;
  const reach =
    host === '127.0.0.1' || host === '::1' || host === 'localhost'
      ? `It answers on ${host}, this machine only; set HOST=0.0.0.0 to let others in.`
      : `It answers on ${host}: other machines can reach it.`;
  const where = engine === 'sqlite' ? `SQLite in ${dataDirectory.path}` : 'MongoDB';
  return [
    '',
    'Team Memory Service is up.',
    `  API      ${addresses.gateway}/api/v1`,
    `  RPC      ${addresses.rpc} (Connect, gRPC and gRPC-Web)`,
    `  Metrics  ${addresses.metrics}`,
    `  Data     ${where}`,
    reach,
    '',
  ].join('\n');
}

/** A link that signs a browser in, and how to get another. */
export function signInText(link: string): string {
  return [
    'Open the dashboard, signed in as the member of the demo team:',
    '',
    `  ${link}`,
    '',
    'The link works once, within two minutes; `tms open` makes another.',
    '',
  ].join('\n');
}

/**
 * The demo team's keys, and two lines to paste. Keys are for a terminal only: otherwise the text goes to a log, which others read,
 * and names the file that has them.
 */
export function demoText(
  demo: Demo,
  program: Program,
  { tms, isTerminal }: { tms: string; isTerminal: boolean },
): string {
  const { gateway } = program.addresses;
  const file = join(program.dataDirectory.path, demoFile);
  const key = `$(node -p ${shellWord(`require(${JSON.stringify(resolve(file))}).team_key`)})`;
  const question = 'How do I push a folder?';
  const keys = isTerminal
    ? [
        `Its keys are shown only now, and kept in ${file} (mode 0600):`,
        `  team key      ${demo.teamKey}`,
        `  external key  ${demo.externalKey}`,
      ]
    : [`Its keys are in ${file} (mode 0600).`];
  return [
    `A team "${demo.team}" was made for you to try, with the ${demo.items} pages of README.md and docs/ in it.`,
    ...keys,
    '',
    'Ask it something; the lines take the team key from that file:',
    '',
    `curl -N ${gateway}/api/v1/query -H "Authorization: Bearer ${key}" -H 'X-Svc-Team: ${demo.team}' -H 'Content-Type: application/json' -d '{"q":"${question}"}'`,
    '',
    `TMS_URL=${gateway} TMS_TEAM=${demo.team} TMS_KEY="${key}" ${tms} ask "${question}"`,
    '',
  ].join('\n');
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
