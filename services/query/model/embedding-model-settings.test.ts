import { expect, test } from 'vitest';
import { embeddingModelSettings } from './embedding-model-settings.ts';

const none = { model: undefined, baseUrl: undefined, apiKey: undefined };
const nowhere = { baseUrl: undefined, apiKey: undefined };
const shared = { baseUrl: 'http://one.example/v1', apiKey: 'sk-one' };

test('without a model nothing is embedded', () => {
  expect(embeddingModelSettings(none, shared)).toBeUndefined();
});

test('the server and key of the model that writes serve for embeddings too', () => {
  expect(embeddingModelSettings({ ...none, model: 'm' }, shared)).toEqual({ model: 'm', ...shared });
});

test('the name of the model that writes is never taken for it', () => {
  const writing = { ...shared, model: undefined };
  expect(embeddingModelSettings({ ...none, model: 'm' }, writing)).toMatchObject({ model: 'm' });
});

test('a key is never shown to a server that it is not for', () => {
  const given = { ...none, model: 'm', baseUrl: 'http://two.example/v1' };
  expect(embeddingModelSettings(given, shared)).toEqual(given);
  expect(embeddingModelSettings({ ...given, apiKey: 'sk-two' }, shared)).toMatchObject({ apiKey: 'sk-two' });
});

test.for([
  [{ ...none, baseUrl: 'http://two.example' }, nowhere, 'OPENAI_EMBEDDING_MODEL must be set'],
  [{ ...none, apiKey: 'sk' }, nowhere, 'OPENAI_EMBEDDING_MODEL must be set'],
  [{ ...none, model: 'm' }, nowhere, 'must be set where OPENAI_EMBEDDING_MODEL is'],
  [{ ...none, model: 'm', apiKey: 'sk' }, shared, 'OPENAI_EMBEDDING_BASE_URL must be set'],
  [{ ...none, model: 'm', baseUrl: 'http://a:b@two.example' }, nowhere, 'must not have a user'],
  [{ model: 'm', baseUrl: 'http://two.example', apiKey: 'ключ' }, nowhere, 'must be visible ASCII'],
] as const)('%j beside %j is refused with a sentence', ([given, beside, sentence]) => {
  expect(() => embeddingModelSettings(given, beside)).toThrow(sentence);
});
