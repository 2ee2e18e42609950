/** The texts of a language by their English. A text that depends on a number has two forms: for one, and for all others. */
export type Catalogue = Readonly<Record<string, string | readonly [one: string, other: string]>>;
