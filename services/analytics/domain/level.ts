/** Levels of readiness and of maturity, lowest first. */
export const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;

export type Level = (typeof levels)[number];

/** Whether a text from outside is a level, spelled exactly so. */
export function isLevel(text: string): text is Level {
  return (levels as readonly string[]).includes(text);
}
