import type { Catalogue } from '../catalogue.ts';

export const german: Catalogue = {};
