/** The axes of a placement, in the order of docs/analytics.md. */
export const axes = ['verification', 'context_hygiene', 'autonomy', 'learning', 'cost_governance'] as const;

/** The upper end of every axis. */
export const highestAxis = 4;

/** A name of the wire in words: `context_hygiene` is "Context hygiene". */
export function axisName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
