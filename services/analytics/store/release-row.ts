import type { FigureName, Release } from '../domain/disclosure.ts';

/** Releases of one read: a team of a thousand has a hundred kilobytes in each. */
export const releasesPerRead = 16;

/** A release as text, the same in both engines: members are data, never keys of a document. */
export function releaseToJson({ figures, contributions }: Release): string {
  return JSON.stringify({ figures, contributions: [...contributions] });
}

/** A stored release. */
export function releaseFromJson(json: string): Release {
  const { figures, contributions } = JSON.parse(json) as {
    figures: FigureName[];
    contributions: [string, number[]][];
  };
  return { figures, contributions: new Map(contributions) };
}
