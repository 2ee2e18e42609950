/** A tier that the service takes. */
export type Tier = 'team' | 'external';

/** The vocabulary of the specification: friendly names and what they mean on the wire. */
const tiersByName: Readonly<Record<string, Tier | 'admin'>> = {
  admin: 'admin',
  private: 'admin',
  personal: 'admin',
  team: 'team',
  client: 'external',
  company: 'external',
  external: 'external',
};

/** The wire value for a canonical or friendly name in any case; undefined for a word that is no tier. */
export function canonicalTier(name: string): Tier | 'admin' | undefined {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(tiersByName, key) ? tiersByName[key] : undefined;
}
