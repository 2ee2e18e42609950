// A thread that searches: started by `index-pool.ts`, it does what it is sent with the files of indexes.
import { parentPort, workerData } from 'node:worker_threads';
import { createLocalIndexHost, IndexDiskFull, type IndexHostSettings } from './index-host.ts';
import {
  type CallMessage,
  errorToMessage,
  type Method,
  type RemovedMessage,
  type ReplyMessage,
} from './messages.ts';

const settings = workerData as IndexHostSettings;
let { directory } = settings;
let host = createLocalIndexHost(settings);
/** They change nothing that figures tell. */
const readers: ReadonlySet<Method> = new Set([
  'cut',
  'search',
  'vectors',
  'coverage',
  'indexedItems',
  'close',
]);

function answerTo({ method, args, directory: wanted }: CallMessage): ReplyMessage {
  try {
    if (wanted !== directory) {
      host.close();
      directory = wanted;
      host = createLocalIndexHost({ ...settings, directory });
    }
    const call = host[method] as (...args: unknown[]) => unknown;
    const result = call(...args);
    return readers.has(method) ? { result } : { result, figures: host.figuresOf(args[0] as string) };
  } catch (error) {
    if (error instanceof IndexDiskFull) return { isDiskFull: true };
    return { error: errorToMessage(error) };
  }
}

parentPort?.postMessage('ready');
parentPort?.on('message', (message: CallMessage | RemovedMessage) => {
  if ('removed' in message) host.release(message.removed);
  else parentPort?.postMessage(answerTo(message));
});
