import type { Catalogue } from '../catalogue.ts';

export const firstView: Catalogue = {};
