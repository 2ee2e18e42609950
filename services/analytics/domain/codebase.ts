import { isSlug, slugRule } from '@teammemory/vocabulary/slug.ts';
import type { Faults } from './faults.ts';
import { isName, nameRule } from './value-rules.ts';

/** A codebase as clients name it. */
export interface Codebase {
  /** Unique in the team. */
  slug: string;
  /** Owner/repository. */
  fullName: string;
  /** Identifier of the hosting provider. */
  provider: string;
}

const fullNameMaxCharacters = 300;
const providerMaxCharacters = 64;

/** Notes what is wrong with a codebase. */
export function checkCodebase({ slug, fullName, provider }: Codebase, faults: Faults): void {
  if (!isSlug(slug)) {
    faults.add('/codebase/slug', slugRule);
  }
  if (!isName(fullName, fullNameMaxCharacters)) {
    faults.add('/codebase/full_name', nameRule(fullNameMaxCharacters));
  }
  if (!isName(provider, providerMaxCharacters)) {
    faults.add('/codebase/provider', nameRule(providerMaxCharacters));
  }
}
