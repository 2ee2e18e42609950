import type { Log } from '@teammemory/log/log.ts';

/** Closes one thing that was opened. */
export type Close = () => unknown;

/**
 * Opens the things that a program consists of. `open` registers how to close each thing once it is open; `stop` closes
 * them all, the last opened first. If `open` throws, everything opened so far is closed before the error goes on.
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
        // An error while closing one thing must not keep the rest open.
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
