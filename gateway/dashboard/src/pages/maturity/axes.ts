import { t } from '../../language/language.ts';
/** The axes of a placement, in the order of docs/analytics.md. */
export const axes = ['verification', 'context_hygiene', 'autonomy', 'learning', 'cost_governance'] as const;

/** The upper end of every axis. */
export const highestAxis = 4;

const names: Readonly<Record<string, string>> = {
  verification: t('Verification'),
  context_hygiene: t('Context hygiene'),
  autonomy: t('Autonomy'),
  learning: t('Learning'),
  cost_governance: t('Cost governance'),
};

/** A name of the wire in words: `context_hygiene` is "Context hygiene". Signals have their names of the wire in every language. */
export function axisName(name: string): string {
  const known = names[name];
  if (known !== undefined) return known;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
