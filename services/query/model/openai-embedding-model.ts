import type { EmbeddingModel, Embeddings } from '../domain/embedding/embedding-model.ts';
import { EmbeddingFailure } from '../domain/embedding/embedding-model.ts';
import type { EmbeddingModelSettings } from './embedding-model-settings.ts';
import { type EmbeddingRequest, readEmbeddings } from './embedding-response.ts';
import { createModelCall, type ModelCall } from './model-call.ts';
import { openaiUrl } from './model-server.ts';

/** Bytes of one answer: 32 vectors of 8,192 numbers, written as wordily as JSON can, are half of it. */
const maxResponseBytes = 16 * 1024 * 1024;
/** Statuses by which a server says that it does not take these texts, though it may take others or fewer. */
const refusals = [400, 413, 422];

/**
 * Makes an embedding model behind an OpenAI-compatible server. The client
 * library is not used: it would add headers, retries and settings of its own to
 * one plain request.
 */
export function createOpenaiEmbeddingModel(settings: EmbeddingModelSettings): EmbeddingModel {
  const { model, apiKey, baseUrl = openaiUrl } = settings;
  const url = `${baseUrl}/embeddings`;
  return {
    name: model,
    async embed(texts, signal) {
      const request: EmbeddingRequest = { model, input: texts, encoding_format: 'float' };
      const call = createModelCall({ apiKey, accept: 'application/json', signal });
      try {
        const response = await ask(call, url, JSON.stringify(request));
        if (!response.ok) throw badStatus(response);
        return await readAnswer(call, texts.length);
      } catch (error) {
        call.end();
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

async function ask(call: ModelCall, url: string, body: string): Promise<Response> {
  try {
    return await call.fetch(url, { method: 'POST', body });
  } catch (error) {
    const begun = call.wasSent();
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    const message = `The embedding server ${begun ? 'did not answer' : 'could not be reached'}.`;
    throw new EmbeddingFailure(message, { begun, cause: new Error(code ?? 'cut') });
  }
}

async function readAnswer(call: ModelCall, count: number): Promise<Embeddings> {
  try {
    return readEmbeddings(JSON.parse(await readBounded(call)), count);
  } catch (error) {
    throw unusable(error);
  }
}

async function readBounded(call: ModelCall): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (let pieces = await call.read(); pieces !== undefined; pieces = await call.read()) {
    for (const piece of pieces) bytes += piece.length;
    if (bytes > maxResponseBytes) throw new RangeError('the answer is too long');
    parts.push(...pieces);
  }
  return Buffer.concat(parts).toString();
}

function badStatus({ status, headers }: Response): EmbeddingFailure {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new EmbeddingFailure(`The embedding server answered ${status}.`, {
    begun: false,
    refused: refusals.includes(status),
    retryAfterMs: seconds >= 0 ? seconds * 1_000 : undefined,
  });
}

/** Only what happened goes to the log: the words of the server may quote a text or the key. */
function unusable(error: unknown): EmbeddingFailure {
  const reason = error instanceof RangeError ? error.message : 'it is not what was asked for';
  return new EmbeddingFailure(`The answer of the embedding server cannot be used: ${reason}.`, {
    begun: true,
  });
}
