import { AppError } from '@teammemory/errors/app-error.ts';
import { connectMongo, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** A piece of a user's name or password that is shorter gives nothing away. */
const minPieceCharacters = 3;
/** The part of an address before the hosts. */
const credentials = /(?<=:\/\/).*(?=@)/;
/** A malformed address may have a password where the hosts belong. */
const credentialsAndHosts = /(?<=:\/\/)(.*@)?[^/?]*/;

/**
 * Connects to the database that the settings MONGODB_URL and MONGODB_DATABASE name.
 * @throws AppError with one sentence that names the setting and has the driver's words, but no credentials:
 *   `invalid_request` for an address that the driver cannot read, `unavailable` when no server answers.
 */
export async function openMongodb(options: {
  url: string;
  database: string;
  metrics: Metrics;
}): Promise<MongoConnection> {
  try {
    return await connectMongo(options);
  } catch (cause) {
    if (cause instanceof AppError) {
      const words = wordsWithout(credentials, options.url, cause.cause);
      throw new AppError('unavailable', `MongoDB does not answer at the address in MONGODB_URL${words}.`, {
        cause,
      });
    }
    const words = wordsWithout(credentialsAndHosts, options.url, cause);
    throw new AppError('invalid_request', `Bad setting: MONGODB_URL cannot be used${words}.`, { cause });
  }
}

/** Returns the driver's message, unless it quotes any of the part of the address that may be a password. */
function wordsWithout(secret: RegExp, url: string, error: unknown): string {
  if (!(error instanceof Error)) return '';
  const pieces = secret.exec(url)?.[0].split(/[^\p{L}\p{N}]+/u) ?? [];
  const words = error.message.replace(/\.$/, '');
  const quotes = pieces.some(
    (piece) => piece.length >= minPieceCharacters && words.toLowerCase().includes(piece.toLowerCase()),
  );
  return quotes ? '' : `: ${words}`;
}
