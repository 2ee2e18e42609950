/** Who may see a stored row, and which rows a key sees: team keys see both. */
export type Tier = 'team' | 'external';

const tierNames: Readonly<Record<string, Tier | 'admin'>> = {
  admin: 'admin',
  private: 'admin',
  personal: 'admin',
  team: 'team',
  external: 'external',
  client: 'external',
  company: 'external',
};

/**
 * The canonical tier of a wire value or friendly name, in any case; undefined
 * for a word that names none (specification, "Tier vocabulary").
 */
export function canonicalTier(name: string): Tier | 'admin' | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(tierNames, lower) ? tierNames[lower] : undefined;
}

/**
 * Whether a front matter `audience` says that the content is private. White
 * space around the word does not hide it, nor does a list with other words.
 */
export function isPrivateAudience(audience: unknown): boolean {
  if (Array.isArray(audience)) return audience.some(isPrivateAudience);
  return typeof audience === 'string' && canonicalTier(audience.trim()) === 'admin';
}
