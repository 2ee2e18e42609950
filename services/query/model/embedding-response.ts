import type { Embeddings } from '../domain/embedding/embedding-model.ts';
import { fieldOf, isCount } from './untrusted-json.ts';

/** Four times what the largest models of today give; 100,000 passages of them would take 800 MB. */
const maxDimension = 8_192;

/** The body of a request for embeddings. Numbers are asked for as JSON, which every server can. */
export interface EmbeddingRequest {
  model: string;
  input: readonly string[];
  encoding_format: 'float';
}

/**
 * Reads the answer to a request for `count` embeddings. Every field may be
 * missing or of any type, for the server is not ours.
 * @throws RangeError whose message says what is wrong, without the server's words.
 */
export function readEmbeddings(answer: unknown, count: number): Embeddings {
  const data = fieldOf(answer, 'data');
  if (!Array.isArray(data) || data.length !== count)
    throw new RangeError('there is not one vector for each text');
  const vectors: Float32Array[] = [];
  for (const [place, entry] of data.entries()) {
    const index = fieldOf(entry, 'index') ?? place;
    if (typeof index !== 'number' || index in vectors)
      throw new RangeError('there is not one vector for each text');
    vectors[index] = unitVector(fieldOf(entry, 'embedding'));
  }
  const dimensions = new Set(Array.from({ length: count }, (_, place) => vectors[place]?.length));
  if (vectors.length !== count || dimensions.size !== 1) throw new RangeError('its vectors are not alike');
  const inputTokens = fieldOf(fieldOf(answer, 'usage'), 'prompt_tokens');
  return isCount(inputTokens) ? { vectors, inputTokens } : { vectors };
}

/** The cosine of two vectors is the product of these. */
function unitVector(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > maxDimension)
    throw new RangeError('a vector has no numbers, or too many');
  if (!numbers.every((number) => typeof number === 'number'))
    throw new RangeError('a vector has what is no number');
  const length = Math.hypot(...numbers);
  const unit = Float32Array.from(numbers, (number) => number / length);
  if (!unit.every(Number.isFinite) || unit.every((number) => number === 0))
    throw new RangeError('a vector has no direction');
  return unit;
}
