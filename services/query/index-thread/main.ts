// The thread that keeps the search indexes: started by `index-thread.ts`, it does what it is sent with an index host.
import { parentPort, workerData } from 'node:worker_threads';
import { createLocalIndexHost } from '../domain/index/local-index-host.ts';
import { createIndexFileStore } from '../store/index-file-store.ts';
import {
  type CallMessage,
  errorToMessage,
  type ReplyMessage,
  type ThreadSettings,
  turnRecord,
} from './messages.ts';

const { maxBytes, embeds, files, turnRecord: buffer } = workerData as ThreadSettings;
const host = createLocalIndexHost({
  maxBytes,
  embeds,
  files: files && createIndexFileStore(files),
  onTurn: turnRecord(buffer).begin,
});

async function answerTo({ id, method, args }: CallMessage): Promise<ReplyMessage> {
  try {
    const call = host[method] as (...args: unknown[]) => Promise<unknown>;
    return { id, result: await call(...args), figures: host.figures() };
  } catch (error) {
    return { id, error: errorToMessage(error), figures: host.figures() };
  }
}

parentPort?.on('message', async (message: CallMessage) => parentPort?.postMessage(await answerTo(message)));
