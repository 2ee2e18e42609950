/** Languages that are told apart. A text of any other, or of none, is taken for English. */
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'sv',
  'da',
  'no',
  'fi',
  'pl',
  'cs',
] as const;
export type Language = (typeof languages)[number];
