import { EmbeddingFailure } from '../domain/embedding-failure.ts';
import type { EmbeddingModel } from '../domain/embedding-model.ts';
import type { EmbeddingModelSettings } from './embedding-model-settings.ts';
import { type EmbeddingRequest, readEmbeddings } from './embedding-response.ts';

const openaiUrl = 'https://api.openai.com/v1';
/** Bytes of one answer: 32 vectors of 8,192 numbers, written as wordily as JSON can, are half of it. */
const maxResponseBytes = 16 * 1024 * 1024;
/** Statuses by which a server says that it does not take these texts, though it may take others or fewer. */
const refusals = [400, 413, 422];

/**
 * Makes an embedding model behind an OpenAI-compatible server. It is asked with
 * `fetch` alone: the client library would add headers, retries and settings of
 * its own to one plain request.
 */
export function createOpenaiEmbeddingModel(settings: EmbeddingModelSettings): EmbeddingModel {
  const { model, apiKey, baseUrl = openaiUrl } = settings;
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return {
    name: model,
    async embed(texts, signal) {
      const request: EmbeddingRequest = { model, input: texts, encoding_format: 'float' };
      const body = JSON.stringify(request);
      // No redirect is followed: the texts, and the key, are meant for this address only.
      const sent = fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      const response = await sent.catch((error: unknown) => {
        signal.throwIfAborted();
        throw noAnswer(error);
      });
      if (!response.ok) {
        await response.body?.cancel().catch(() => undefined);
        throw badStatus(response);
      }
      const answer = await readBounded(response).catch((error: unknown) => {
        signal.throwIfAborted();
        throw unusable(error);
      });
      try {
        return readEmbeddings(JSON.parse(answer), texts.length);
      } catch (error) {
        throw unusable(error);
      }
    },
  };
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the rest.
    if (bytes > maxResponseBytes) throw new RangeError('the answer is too long');
    parts.push(part);
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

/** What the network says where the request cannot have reached a server. */
const neverConnected = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
);

function noAnswer(error: unknown): EmbeddingFailure {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  const begun = !neverConnected.has(code ?? '');
  return new EmbeddingFailure('The embedding server did not answer.', {
    begun,
    cause: new Error(code ?? 'cut'),
  });
}
