import { join } from 'node:path';
import { usageError } from '../cli-error.ts';
import {
  assertPlannable,
  launchAgent,
  launchTarget,
  type SystemPlan,
  systemdCommand,
  windowsCommand,
  xmlText,
} from '../system-plan.ts';

const name = 'team-memory-service';

/** How a platform keeps the service running, and how a person looks after it. */
export interface ServicePlan extends SystemPlan {
  status: string[];
  /** Where the log is, in words. */
  logs: string;
}

/**
 * Says how a platform starts a command when the user signs in, and again when it fails. `dataFolder` gets the files that a
 * platform without a log of its own needs. Throws as `assertPlannable`.
 */
export function servicePlan(
  platform: string,
  { home, dataFolder, command }: { home: string; dataFolder: string; command: readonly string[] },
): ServicePlan {
  assertPlannable([...command, dataFolder]);
  if (platform === 'darwin') return launchdPlan(home, dataFolder, command);
  return platform === 'win32' ? taskPlan(home, dataFolder, command) : systemdPlan(home, command);
}

function systemdPlan(home: string, command: readonly string[]): ServicePlan {
  const text = `[Unit]
Description=Team Memory Service

[Service]
ExecStart=${systemdCommand(command)}
Restart=on-failure
RestartSec=5
TimeoutStopSec=40

[Install]
WantedBy=default.target
`;
  return {
    files: [{ path: join(home, '.config', 'systemd', 'user', `${name}.service`), text }],
    start: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', `${name}.service`],
      // One that runs already would keep the port and the data of before.
      ['systemctl', '--user', 'restart', `${name}.service`],
    ],
    stop: [['systemctl', '--user', 'disable', '--now', `${name}.service`]],
    status: ['systemctl', '--user', 'status', '--no-pager', `${name}.service`],
    logs: `journalctl --user --unit ${name}. To run it while nobody is signed in: loginctl enable-linger`,
  };
}

/** The log of a service that nothing rotates has warnings only. */
const quietLevel = 'warn';

function launchdPlan(home: string, dataFolder: string, command: readonly string[]): ServicePlan {
  const log = join(dataFolder, 'service.log');
  const settings = `  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>40</integer>
  <key>EnvironmentVariables</key>
  <dict><key>LOG_LEVEL</key><string>${quietLevel}</string></dict>
  <key>StandardOutPath</key><string>${xmlText(log)}</string>
  <key>StandardErrorPath</key><string>${xmlText(log)}</string>`;
  const label = `com.${name}`;
  const plan = launchAgent(home, { label, command, settings });
  return { ...plan, status: ['launchctl', 'print', launchTarget(label)], logs: log };
}

/**
 * A task of Windows. Its command goes through cmd.exe, the only way to a log. It is started each minute in which it does not
 * run: Windows does not call it a failure when a program ends with an error, and only administrators may make a task that
 * begins when somebody signs in.
 */
function taskPlan(home: string, dataFolder: string, command: readonly string[]): ServicePlan {
  if ([...command, dataFolder].some((part) => part.includes('%')))
    throw usageError('cmd.exe would replace what stands between percent signs in the command.');
  const path = join(home, 'AppData', 'Local', name, `${name}.xml`);
  const log = join(dataFolder, 'service.log');
  const line = `/d /c "set LOG_LEVEL=${quietLevel}&& ${windowsCommand(command)} >> "${log}" 2>&1"`;
  const text = `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <TimeTrigger>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
      <Repetition><Interval>PT1M</Interval></Repetition>
    </TimeTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
  </Settings>
  <Actions><Exec><Command>cmd.exe</Command><Arguments>${xmlText(line)}</Arguments></Exec></Actions>
</Task>
`;
  return {
    files: [{ path, text }],
    end: ['schtasks', '/End', '/TN', name],
    start: [
      ['schtasks', '/Create', '/F', '/TN', name, '/XML', path],
      ['schtasks', '/Run', '/TN', name],
    ],
    stop: [
      ['schtasks', '/End', '/TN', name],
      ['schtasks', '/Delete', '/F', '/TN', name],
    ],
    status: ['schtasks', '/Query', '/TN', name, '/V', '/FO', 'LIST'],
    logs: log,
  };
}
