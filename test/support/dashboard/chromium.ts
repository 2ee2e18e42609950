import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Names that Chromium and its relatives have on the path. */
const names = ['chromium', 'chromium-browser', 'google-chrome'];
const startTimeoutMs = 60_000;
/** A name of this machine that browsers treat as another one's: over plain HTTP they withhold functions from its pages. */
export const otherHost = 'memory.test';

/** The program to start: the one that CHROMIUM_PATH names, else the first on the path; undefined where there is none. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM_PATH || programOnPath(names);
}

/** Returns the first program that has one of these names; undefined where there is none. */
export function programOnPath(names: readonly string[]): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Starts a browser without a window. @throws Error where there is none. */
export function startChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no Chromium on the path');
  return chromium.launch({
    executablePath,
    timeout: startTimeoutMs,
    // In containers the tests run as root, where Chromium's sandbox does not work, and /dev/shm is small.
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`],
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
