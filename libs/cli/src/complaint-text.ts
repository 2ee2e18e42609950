import type { ErrorDescription } from './describe-error.ts';
import { printable } from './printable.ts';

/** Places named at once: about what fits a screen. */
const placesMax = 20;

/**
 * A failure as people read it: its sentence, and below that one indented line
 * for each place that breaks a rule, where the sentence does not say it already.
 */
export function complaintText({ detail, errors = [] }: ErrorDescription): string {
  const places = errors.filter((place) => !detail.includes(place.detail));
  const lines = places.slice(0, placesMax).map(placeLine);
  const more = places.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more, which --json prints`);
  return printable([detail, ...lines].join('\n'));
}

function placeLine({ pointer, detail }: { pointer: string; detail: string }): string {
  // The whole request has the empty pointer.
  const text = pointer === '' ? detail : `${pointer}: ${detail}`;
  return `  ${text.replaceAll('\n', ' ')}`;
}
