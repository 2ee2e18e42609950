import { spawn } from 'node:child_process';

/** A program that opens browsers and has not failed by then has found one; some run as long as the browser does. */
const openerTimeoutMs = 3_000;

/**
 * Starts the browser with the address as its one argument, which no shell reads. Returns the name of the program that
 * should have done so if it could not be started or failed at once; else undefined.
 */
export async function openInBrowser(
  address: string,
  { env }: { env: Readonly<Record<string, string | undefined>> },
): Promise<string | undefined> {
  const [program = 'xdg-open', ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? []);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, shell: false });
  const isOpen = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, openerTimeoutMs, true);
    const settle = (isStarted: boolean) => {
      clearTimeout(timer);
      resolve(isStarted);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
  child.unref();
  return isOpen ? undefined : program;
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // Not `start`, which is a command of the shell.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
