import type { Log } from '@teammemory/log/log.ts';

/** Closes one thing that was opened. */
export type Close = () => unknown;

/**
 * Opens what a program consists of. `open` says of each thing, once it is open,
 * how to close it; `stop` closes them all, the last opened first. When `open`
 * throws, what was opened until then is closed before its error goes on.
 */
export async function openAll<Result extends object>(
  log: Log,
  open: (onStop: (close: Close) => void) => Promise<Result>,
): Promise<Result & { stop: () => Promise<void> }> {
  const opened: Close[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        // What cannot be closed must not keep the rest open.
        log.error({ err: error }, 'a part could not be closed');
      }
    }
  };
  try {
    return { ...(await open((close) => opened.push(close))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
