import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { CliError, usageError } from './cli-error.ts';
import { changeConfiguration, readConfiguration } from './mcp-clients/configuration-file.ts';

/** When reports are made by themselves. */
export const reportTimes = ['session', 'day'] as const;
export type ReportTime = (typeof reportTimes)[number];

/** How long a program of the system may take. */
const callTimeoutMs = 20_000;
const name = 'teammemory-report';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the system is told so that it runs a command once a day. */
export interface DailyPlan {
  files: { path: string; text: string }[];
  start: string[][];
  stop: string[][];
}

/**
 * Says how a platform runs a command once a day. Throws a usage error for parts with quotes or control characters, which
 * begin another command or setting on some system.
 */
export function dailyPlan(platform: string, home: string, command: readonly string[]): DailyPlan {
  for (const part of command) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it has to find control characters
    if (/["\u0000-\u001f\u007f]/.test(part)) throw usageError(`No schedule can have ${part} in its command.`);
  }
  if (platform === 'darwin') return launchdPlan(home, command);
  return platform === 'win32' ? taskSchedulerPlan(command) : systemdPlan(home, command);
}

function systemdPlan(home: string, command: readonly string[]): DailyPlan {
  const folder = join(home, '.config', 'systemd', 'user');
  const quoted = command.map((part) => `"${part.replaceAll('\\', '\\\\').replace(/[%$]/g, '$&$&')}"`);
  const service = `[Unit]\nDescription=Report to Team Memory\n\n[Service]\nType=oneshot\nExecStart=${quoted.join(' ')}\n`;
  const timer = `[Unit]\nDescription=Report to Team Memory once a day\n\n[Timer]\nOnCalendar=daily\nPersistent=true\nRandomizedDelaySec=1h\n\n[Install]\nWantedBy=timers.target\n`;
  return {
    files: [
      { path: join(folder, `${name}.service`), text: service },
      { path: join(folder, `${name}.timer`), text: timer },
    ],
    start: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', `${name}.timer`],
    ],
    stop: [['systemctl', '--user', 'disable', '--now', `${name}.timer`]],
  };
}

function launchdPlan(home: string, command: readonly string[]): DailyPlan {
  const path = join(home, 'Library', 'LaunchAgents', `com.${name}.plist`);
  const escaped = (part: string) =>
    part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const words = command.map((part) => `    <string>${escaped(part)}</string>`).join('\n');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>com.${name}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>StartCalendarInterval</key>
  <dict><key>Hour</key><integer>12</integer><key>Minute</key><integer>7</integer></dict>
</dict>
</plist>
`;
  return {
    files: [{ path, text }],
    start: [['launchctl', 'load', '-w', path]],
    stop: [['launchctl', 'unload', '-w', path]],
  };
}

function taskSchedulerPlan(command: readonly string[]): DailyPlan {
  const run = command.map((part) => `"${part}"`).join(' ');
  return {
    files: [],
    start: [['schtasks', '/Create', '/F', '/SC', 'DAILY', '/ST', '12:07', '/TN', name, '/TR', run]],
    stop: [['schtasks', '/Delete', '/F', '/TN', name]],
  };
}

/** Makes the system run a command once a day. Throws CliError `no_scheduler`, after which nothing is left of it. */
export async function startDaily(plan: DailyPlan, home: string, env: Environment): Promise<void> {
  for (const { path, text } of plan.files) await writeFile(home, path, text);
  try {
    for (const call of plan.start) await runCall(call, env);
  } catch (thrown) {
    await removeFiles(plan, home);
    throw thrown;
  }
}

/** Ends that. Returns whether there was any. */
export async function stopDaily(plan: DailyPlan, home: string, env: Environment): Promise<boolean> {
  let wasThere = false;
  for (const call of plan.stop) {
    // What was never started cannot be stopped, which is what is wanted.
    wasThere =
      (await runCall(call, env).then(
        () => true,
        () => false,
      )) || wasThere;
  }
  return (await removeFiles(plan, home)) || wasThere;
}

async function writeFile(home: string, path: string, text: string | undefined): Promise<boolean> {
  const file = await readConfiguration(home, path, 'user');
  if (file.text === text) return false;
  // These files are this program's own: nothing of before is worth keeping.
  await changeConfiguration({ ...file, backup: undefined }, text);
  return true;
}

async function removeFiles({ files }: DailyPlan, home: string): Promise<boolean> {
  let wasThere = false;
  for (const { path } of files) wasThere = (await writeFile(home, path, undefined)) || wasThere;
  return wasThere;
}

function runCall([program = '', ...parts]: readonly string[], env: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, parts, { env: { ...env }, timeout: callTimeoutMs }, (error) => {
      if (error === null) resolve();
      else
        reject(new CliError('no_scheduler', `${program} did not take the schedule: nothing was installed.`));
    });
  });
}
