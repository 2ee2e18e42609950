/** The tiers of stored rows and of keys. A key of tier team sees rows of both tiers. */
export const tiers = ['team', 'external'] as const;

export type Tier = (typeof tiers)[number];

const tiersByName: Readonly<Record<string, Tier | 'admin'>> = {
  admin: 'admin',
  private: 'admin',
  personal: 'admin',
  team: 'team',
  external: 'external',
  client: 'external',
  company: 'external',
};

/** The names of tier admin, whose content is never accepted. */
export const privateNames: readonly string[] = Object.keys(tiersByName).filter(
  (name) => tiersByName[name] === 'admin',
);

/**
 * Returns the canonical tier of a wire value or friendly name, in any case and with white space around it; undefined
 * for a word that names none (docs/contract.md, "Names").
 */
export function canonicalTier(name: string): Tier | 'admin' | undefined {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(tiersByName, lower) ? tiersByName[lower] : undefined;
}
