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
  [{ apiKey: 'k\n', model: 'm' }, 'OPENAI_API_KEY must be'],
  [{ baseUrl: 'http://ada:secret@127.0.0.1/v1', model: 'm' }, 'OPENAI_BASE_URL must not'],
] as const)('%j is refused in one sentence that repeats no secret', ([given, sentence]) => {
  const read = () => answerModelSettings({ ...none, ...given });
  expect(read).toThrow(sentence);
  expect(read).not.toThrow(/kéy|secret@/);
});
