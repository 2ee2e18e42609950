import { expect, test } from 'vitest';
import { answerModelSettings } from './answer-model-settings.ts';

const none = { apiKey: undefined, baseUrl: undefined, model: undefined };

test('there is a model as soon as there is a key or an address, and not before', () => {
  expect(answerModelSettings(none)).toBeUndefined();
  expect(answerModelSettings({ ...none, model: 'm' })).toBeUndefined();
  const byKey = { ...none, apiKey: 'k', model: 'm' };
  const byAddress = { ...none, baseUrl: 'http://127.0.0.1:1/v1', model: 'm' };
  expect([byKey, byAddress].map(answerModelSettings)).toEqual([byKey, byAddress]);
});

test.for([
  [{ apiKey: 'k' }, 'OPENAI_MODEL must be set'],
  [{ baseUrl: 'http://127.0.0.1:1/v1' }, 'OPENAI_MODEL must be set'],
  [{ apiKey: 'kéy', model: 'm' }, 'OPENAI_API_KEY must be'],
] as const)('%j is refused in one sentence', ([given, sentence]) => {
  expect(() => answerModelSettings({ ...none, ...given })).toThrow(sentence);
});
