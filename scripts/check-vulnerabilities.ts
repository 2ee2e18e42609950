// Asks the registry whether what runs in production has known vulnerabilities (`npm audit`). Fails for high and critical
// ones that scripts/accepted-vulnerabilities.json does not name; says so when the registry does not answer.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** The registry answers in seconds, or not at all. */
const timeoutMs = 120_000;
const grave: readonly string[] = ['high', 'critical'];

/** An advisory as `npm audit --json` has it. */
interface Advisory {
  name: string;
  title: string;
  url: string;
  severity: string;
}

/** An advisory that does not concern us, with the reason, until a day (YYYY-MM-DD) on which somebody looks again. */
interface Accepted {
  url: string;
  reason: string;
  until: string;
}

/** What `npm audit --json` prints: a report, or why there is none. */
interface Audit {
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>;
  message?: string;
}

function audit(): Audit {
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (error !== undefined) return { message: error.message };
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: 'npm audit printed no JSON' };
  }
}

/** Returns the high and critical advisories of a report, each once. */
function graveOf(vulnerabilities: NonNullable<Audit['vulnerabilities']>): Advisory[] {
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((cause) => typeof cause !== 'string'),
  );
  const byUrl = new Map(advisories.map((advisory) => [advisory.url, advisory]));
  return [...byUrl.values()].filter(({ severity }) => grave.includes(severity));
}

const { vulnerabilities, message } = audit();
if (vulnerabilities === undefined) {
  process.stdout.write(
    `NOT CHECKED: known vulnerabilities. The registry did not answer npm audit: ${message ?? 'it gave no reason'}\n`,
  );
} else {
  const today = new Date().toISOString().slice(0, 10);
  const accepted: Accepted[] = JSON.parse(
    readFileSync(join(import.meta.dirname, 'accepted-vulnerabilities.json'), 'utf8'),
  );
  const open = graveOf(vulnerabilities).filter(
    ({ url }) => !accepted.some((one) => one.url === url && one.until >= today),
  );
  for (const { name, severity, title, url } of open)
    process.stderr.write(`${name}: ${severity}: ${title} (${url})\n`);
  const count = open.length;
  process.stdout.write(
    `Runtime dependencies: ${count} high or critical vulnerabilities that are not accepted.\n`,
  );
  if (count > 0) process.exitCode = 1;
}
