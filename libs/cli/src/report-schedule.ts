import { join } from 'node:path';
import {
  assertPlannable,
  launchAgent,
  type SystemPlan,
  systemdCommand,
  windowsCommand,
} from './system-plan.ts';

/** When reports are made by themselves. */
export const reportTimes = ['session', 'day'] as const;
export type ReportTime = (typeof reportTimes)[number];

const name = 'teammemory-report';

/** Says how a platform runs a command once a day. Throws as `assertPlannable`. */
export function dailyPlan(platform: string, home: string, command: readonly string[]): SystemPlan {
  assertPlannable(command);
  if (platform === 'darwin') return launchdPlan(home, command);
  return platform === 'win32' ? taskSchedulerPlan(command) : systemdPlan(home, command);
}

function systemdPlan(home: string, command: readonly string[]): SystemPlan {
  const folder = join(home, '.config', 'systemd', 'user');
  const service = `[Unit]\nDescription=Report to Team Memory\n\n[Service]\nType=oneshot\nExecStart=${systemdCommand(command)}\n`;
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

function launchdPlan(home: string, command: readonly string[]): SystemPlan {
  const noonOrSo =
    '  <key>StartCalendarInterval</key>\n  <dict><key>Hour</key><integer>12</integer><key>Minute</key><integer>7</integer></dict>';
  return launchAgent(home, { label: `com.${name}`, command, settings: noonOrSo });
}

function taskSchedulerPlan(command: readonly string[]): SystemPlan {
  const run = windowsCommand(command);
  return {
    files: [],
    start: [['schtasks', '/Create', '/F', '/SC', 'DAILY', '/ST', '12:07', '/TN', name, '/TR', run]],
    stop: [['schtasks', '/Delete', '/F', '/TN', name]],
  };
}
