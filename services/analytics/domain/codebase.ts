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

/** Decisions §1. */
const slugPattern = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;
const fullNameMaxCharacters = 300;
const providerMaxCharacters = 64;

/** Notes what is wrong with a codebase. */
export function checkCodebase({ slug, fullName, provider }: Codebase, faults: Faults): void {
  if (!slugPattern.test(slug)) {
    faults.add(
      '/codebase/slug',
      'must be 1 to 64 of a-z, 0-9 and -, beginning and ending with a letter or digit',
    );
  }
  if (!isName(fullName, fullNameMaxCharacters)) {
    faults.add('/codebase/full_name', nameRule(fullNameMaxCharacters));
  }
  if (!isName(provider, providerMaxCharacters)) {
    faults.add('/codebase/provider', nameRule(providerMaxCharacters));
  }
}
