// A thread that searches: started by `index-threads.ts`, it does what it is sent with the files of indexes.
import { parentPort, workerData } from 'node:worker_threads';
import { programFingerprint } from './index-database.ts';
import { IndexDiskFull } from './index-files.ts';
import { createLocalIndexHost, type IndexHostSettings } from './index-host.ts';
import type { ThreadData } from './index-threads.ts';
import {
  type CallMessage,
  errorToMessage,
  type Method,
  type RemovedMessage,
  type ReplyMessage,
} from './messages.ts';

const { startOfMachine, ...shared } = workerData as ThreadData;
const settings: IndexHostSettings = { ...shared, program: programFingerprint(startOfMachine) };
let { directory } = settings;
let damage: string | undefined;
const onDamage = (error: unknown) => {
  damage = errorToMessage(error).cause;
};
let host = createLocalIndexHost(settings, onDamage);
/** They change nothing that figures tell. */
const readers: ReadonlySet<Method> = new Set([
  'cut',
  'search',
  'vectors',
  'coverage',
  'indexedItems',
  'itemsNamed',
  'notesToCheck',
  'close',
]);

function answerTo({ method, args, directory: wanted }: CallMessage): ReplyMessage {
  try {
    if (wanted !== directory) {
      host.close();
      directory = wanted;
      host = createLocalIndexHost({ ...settings, directory }, onDamage);
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
  else {
    damage = undefined;
    const reply = answerTo(message);
    parentPort?.postMessage({ ...reply, damage } satisfies ReplyMessage);
  }
});
