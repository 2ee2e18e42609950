import { type ExecFileException, execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CliError, usageError } from './cli-error.ts';
import { changeConfiguration, readConfiguration } from './mcp-clients/configuration-file.ts';

/** How long a program of the system may take. */
const callTimeoutMs = 20_000;
/** How long a service may take to end, as its plan says, and some seconds. */
const endTimeoutMs = 45_000;
const endPollMs = 500;
/** With this code (EINPROGRESS) launchctl says that something is ending but has not ended. */
const stillEnding = 36;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a system is told so that it runs a command by itself: files of the user, and calls of the system's programs. */
export interface SystemPlan {
  files: { path: string; text: string }[];
  /** Ends what an earlier plan started, where `start` would leave that as it is. It fails where nothing runs. */
  end?: string[];
  start: string[][];
  stop: string[][];
}

/**
 * Throws a usage error for parts with quotes or control characters, which begin another command or setting on some
 * system.
 */
export function assertPlannable(command: readonly string[]): void {
  for (const part of command) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it has to find control characters
    if (/["\u0000-\u001f\u007f]/.test(part)) throw usageError(`No schedule can have ${part} in its command.`);
  }
}

/**
 * A command as a unit of systemd has it. The colon keeps systemd from replacing what stands after `$`, also where it is
 * doubled in the path of a program. Only systemd 242 and later know it, so other commands go without.
 */
export function systemdCommand(command: readonly string[]): string {
  const prefix = command.some((part) => part.includes('$')) ? ':' : '';
  return `${prefix}${command.map((part) => `"${part.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`).join(' ')}`;
}

/** A command as Windows takes it apart again: a backslash before a quote would otherwise be for the quote. */
export function windowsCommand(command: readonly string[]): string {
  return command.map((part) => `"${part.replace(/\\+$/, '$&$&')}"`).join(' ');
}

/** Text as XML has it between tags, in ASCII: schtasks reads no UTF-8. */
export function xmlText(text: string): string {
  return text.replace(/[&<>]|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}

const launchDomain = () => `gui/${process.getuid?.()}`;

/** The name of an agent in launchctl. */
export const launchTarget = (label: string) => `${launchDomain()}/${label}`;

/** How launchd runs a command for the user who is signed in; `settings` are the lines after the label and the command. */
export function launchAgent(
  home: string,
  { label, command, settings }: { label: string; command: readonly string[]; settings: string },
): SystemPlan {
  const path = join(home, 'Library', 'LaunchAgents', `${label}.plist`);
  const end = ['launchctl', 'bootout', launchTarget(label)];
  return {
    files: [{ path, text: propertyList(label, command, settings) }],
    end,
    // The older `load` ends with 0 where it fails, too. It could also leave the agent disabled.
    start: [
      ['launchctl', 'enable', launchTarget(label)],
      ['launchctl', 'bootstrap', launchDomain(), path],
    ],
    stop: [end],
  };
}

function propertyList(label: string, command: readonly string[], settings: string): string {
  const words = command.map((part) => `    <string>${xmlText(part)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
${settings}
</dict>
</plist>
`;
}

/**
 * Carries a plan out, in place of an earlier one of the same files. Throws CliError `no_scheduler`, after which nothing is
 * left of it, and the earlier one is started again.
 */
export async function startPlan(plan: SystemPlan, home: string, env: Environment): Promise<void> {
  const earlier: (string | undefined)[] = [];
  for (const { path, text } of plan.files) earlier.push(await writeFile(home, path, text));
  try {
    await runStart(plan, env);
  } catch (thrown) {
    for (const [index, { path }] of plan.files.entries()) await writeFile(home, path, earlier[index]);
    if (earlier.some((text) => text !== undefined)) await runStart(plan, env).catch(() => undefined);
    throw thrown;
  }
}

async function runStart({ end, start }: SystemPlan, env: Environment): Promise<void> {
  const code = end && (await exitCode(end, env));
  // `launchctl bootout` returns before the agent has ended, and `bootstrap` fails until it has.
  const mayBeEnding = end?.[0] === 'launchctl' && (code === 0 || code === stillEnding);
  const deadline = mayBeEnding ? Date.now() + endTimeoutMs : 0;
  for (const call of start) await runUntil(deadline, call, env);
}

async function runUntil(deadline: number, call: readonly string[], env: Environment): Promise<void> {
  for (;;) {
    try {
      return await runCall(call, env);
    } catch (thrown) {
      if (Date.now() >= deadline) throw thrown;
    }
    await setTimeout(endPollMs);
  }
}

/** Runs a program of the system. Returns its exit code; undefined where it could not be run or was killed. */
function exitCode(call: readonly string[], env: Environment): Promise<number | undefined> {
  return new Promise((resolve) => {
    runProgram(call, env, (error) => {
      if (error === null) resolve(0);
      else resolve(typeof error.code === 'number' ? error.code : undefined);
    });
  });
}

/** Ends what a plan started. Returns whether there was any. */
export async function stopPlan(plan: SystemPlan, home: string, env: Environment): Promise<boolean> {
  let wasThere = false;
  for (const call of plan.stop) {
    // What was never started cannot be stopped, which is what is wanted.
    wasThere = (await exitCode(call, env)) === 0 || wasThere;
  }
  return (await removeFiles(plan, home)) || wasThere;
}

/** Writes a file, or removes it for undefined. Returns the text of before. */
async function writeFile(home: string, path: string, text: string | undefined): Promise<string | undefined> {
  const file = await readConfiguration(home, path, 'user');
  // These files are this program's own: nothing of before is worth a backup.
  if (file.text !== text) await changeConfiguration({ ...file, backup: undefined }, text);
  return file.text;
}

async function removeFiles({ files }: SystemPlan, home: string): Promise<boolean> {
  let wasThere = false;
  for (const { path } of files) wasThere = (await writeFile(home, path, undefined)) !== undefined || wasThere;
  return wasThere;
}

function runCall(call: readonly string[], env: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    runProgram(call, env, (error, _stdout, stderr) => {
      if (error === null) return resolve();
      const said = error.code === 'ENOENT' ? 'There is no such program.' : stderr.trim();
      reject(new CliError('no_scheduler', `${call[0]} failed, so nothing was started. ${said}`.trim()));
    });
  });
}

/** Asks the system about what a plan started. Returns what it printed, however it ended; undefined if it printed nothing. */
export function askSystem(call: readonly string[], env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A program that runs and says "stopped" by its exit code has answered, too.
    runProgram(call, env, (_error, stdout) => resolve(stdout || undefined));
  });
}

function runProgram(
  [program = '', ...parts]: readonly string[],
  env: Environment,
  done: (error: ExecFileException | null, stdout: string, stderr: string) => void,
): void {
  execFile(program, parts, { env: withRuntimeFolder(env), timeout: callTimeoutMs }, done);
}

/** systemctl finds the user's systemd by this folder. sudo and `su -` leave it out, and `su` keeps the other user's. */
function withRuntimeFolder(env: Environment): Environment {
  const user = process.getuid?.();
  const named = env.XDG_RUNTIME_DIR;
  const isOwn = named !== undefined && statSync(named, { throwIfNoEntry: false })?.uid === user;
  return isOwn ? env : { ...env, XDG_RUNTIME_DIR: `/run/user/${user}` };
}
