import type { EmbeddingModel } from '../domain/embedding/embedder.ts';
import { createModelCall } from './model-call.ts';
import type { EmbeddingModelSettings } from './model-settings.ts';
import { openaiClient } from './openai-client.ts';
import { embeddingFailure, readEmbeddings } from './untrusted-answers.ts';

/** Bounds of one answer: 32 vectors of 8,192 numbers, in the longest JSON, take half of it. */
const bounds = { maxBytes: 16 * 1024 * 1024 };

/** Makes an embedding model behind an OpenAI-compatible server. */
export function createOpenaiEmbeddingModel(settings: EmbeddingModelSettings): EmbeddingModel {
  const { model, apiKey } = settings;
  return {
    name: model,
    async embed(texts, signal) {
      const call = createModelCall({ apiKey, accept: 'application/json', bounds, signal });
      try {
        const answer = await openaiClient(settings, call).embeddings.create({
          model,
          input: [...texts],
          // Numbers as JSON are what every server can send; the library would ask for base64.
          encoding_format: 'float',
        });
        return readEmbeddings(answer, texts.length);
      } catch (error) {
        call.end();
        signal.throwIfAborted();
        throw embeddingFailure(error, call.wasSent());
      }
    },
  };
}
