/** The codings that answers are sent in; of those that a client likes equally, the first here is taken. */
export const compressedEncodings = ['zstd', 'br', 'gzip'] as const;

export type CompressedEncoding = (typeof compressedEncodings)[number];
export type Encoding = CompressedEncoding | 'identity';

/** What a client accepts. */
export interface AcceptedEncoding {
  /** The best coding for an answer of some size. */
  encoding: Encoding;
  /** Whether an answer may also be sent as it is, which small ones are. */
  identity: boolean;
}

const onlyIdentity: AcceptedEncoding = { encoding: 'identity', identity: true };

/**
 * Returns the best coding for a client by its `Accept-Encoding` header (RFC 9110, 12.5.3): the one with the highest
 * weight, then the first of ours. A client that accepts none of them, not even `identity`, gets answers as they are.
 */
export function acceptedEncoding(header: string | undefined): AcceptedEncoding {
  if (header === undefined || header === '') return onlyIdentity;
  const weights = weightsOf(header);
  const others = weights.get('*');
  let best: Encoding | undefined;
  let bestWeight = 0;
  for (const encoding of compressedEncodings) {
    const weight = weights.get(encoding) ?? others ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  // Unless it is named, an answer as it is counts less than any coding that the client asks for.
  const identityWeight = weights.get('identity') ?? (others === 0 ? 0 : Number.MIN_VALUE);
  if (best === undefined || identityWeight > bestWeight) return onlyIdentity;
  return { encoding: best, identity: identityWeight > 0 };
}

/** Returns the weight of each coding that a header names; one that is malformed counts as refused. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';');
    const coding = name.trim().toLowerCase();
    if (coding !== '') weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightOf(parameters));
  }
  return weights;
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((parameter) => /^\s*q\s*=(.*)$/i.exec(parameter)?.[1]?.trim()).find(Boolean);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
