import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import type { TeamIndexState } from '../domain/index/team-index.ts';
import { passageForm } from '../domain/passages/passage-store.ts';
import type { FeedPositions } from '../domain/rows/row-feed.ts';
import { analyze } from '../domain/text/analyzer.ts';
import { languageOf } from '../domain/text/languages.ts';

/** Raised whenever an index is kept in another way, so that no file of another version is read. */
const version = 6;
/** The file begins with this and the length of the head as eight digits. */
const magic = 'team-memory-index ';
const lengthDigits = 8;
export const prefixBytes = magic.length + lengthDigits;
/** Heads have a few kilobytes; more is a damaged file. */
const maxHeadBytes = 2 ** 24;

/** The head of an index file, before its arrays. */
export interface IndexFileHead {
  /** Fingerprint that the writing and the reading program must share. */
  program: string;
  teamId: string;
  /** Every row up to here is in it. */
  positions: FeedPositions;
  /** The model of its vectors; '' where it has none. */
  embeddingModel: string;
  state: TeamIndexState;
  /** Bytes of the arrays, which follow, and before the last four bytes of the file. */
  bytes: number;
}

const sample =
  "Backups of maxBodyBytes, MAX_BODY_BYTES & l'été — running, generalization's 日本語の本 данные 42nd";

/** Of other languages, each known by its stop words. */
const foreignSamples = [
  'Die Rechnungen der Kunden werden nicht vor dem Umzug verschickt, aber die Größe ist bekannt.',
  "Les dépenses de l'équipe sont validées par la responsable avant qu'elles ne soient remboursées.",
  'Las copias de seguridad se hacen cada noche y no se guardan para siempre en los servidores.',
  'Le spese di viaggio non sono rimborsate prima che la richiesta sia approvata dall’ufficio.',
  'De facturen van onze klanten worden niet voor het einde van de maand verstuurd.',
];

/**
 * Returns a fingerprint that differs between programs whose indexes differ: in the form of the file or of the rows, in
 * how texts are cut into words, or in the machine's byte order.
 */
export function programFingerprint(): string {
  const { icu = '', unicode = '' } = process.versions;
  const samples = [sample, ...foreignSamples];
  const analysis = crc32(JSON.stringify(samples.map((text) => analyze(text, languageOf(text)))));
  return [version, passageForm, endianness(), icu, unicode, analysis].join(' ');
}

/** The first bytes of a file. */
export function encodeHead(head: IndexFileHead): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = String(json.length).padStart(lengthDigits, '0');
  return Buffer.concat([Buffer.from(magic + length), json]);
}

/** The bytes of the head behind the prefix; undefined where this is no prefix. */
export function headLength(prefix: Buffer): number | undefined {
  const text = prefix.toString('latin1');
  const length = Number(text.slice(magic.length));
  return text.startsWith(magic) && length > 0 && length <= maxHeadBytes ? length : undefined;
}
