import { describe, expect, test } from 'vitest';
import { answerModelSettings, embeddingModelSettings, modelServer } from './model-settings.ts';

describe('the model that writes', () => {
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
});

describe('the embedding model', () => {
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
    expect(embeddingModelSettings({ ...given, apiKey: 'sk-two' }, shared)).toMatchObject({
      apiKey: 'sk-two',
    });
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
});

describe('a server', () => {
  const apiKey = undefined;

  test.for([
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['http://127.0.0.1:1/v1//', 'http://127.0.0.1:1/v1'],
    [' https://models.example/a/v1 ', 'https://models.example/a/v1'],
  ] as const)('%j is the server at %s', ([given, baseUrl]) => {
    expect(modelServer({ baseUrl: given, apiKey: 'sk' }, 'OPENAI')).toEqual({ baseUrl, apiKey: 'sk' });
  });

  test.for([
    [{ apiKey: 'kéy', baseUrl: undefined }, 'OPENAI_API_KEY must be visible ASCII'],
    [{ apiKey: 'k\n', baseUrl: undefined }, 'OPENAI_API_KEY must be visible ASCII'],
    [{ apiKey, baseUrl: 'http://ada:secret@127.0.0.1/v1' }, 'OPENAI_BASE_URL must not have a user'],
    [{ apiKey, baseUrl: 'http://secret@127.0.0.1/v1' }, 'OPENAI_BASE_URL must not have a user'],
    [{ apiKey, baseUrl: 'http://127.0.0.1/v1?version=secret' }, 'OPENAI_BASE_URL must not have a query'],
    [{ apiKey, baseUrl: 'http://127.0.0.1/v1#secret' }, 'OPENAI_BASE_URL must not have a query'],
  ] as const)(
    '%j is refused in one sentence that names the setting and repeats no secret',
    ([given, sentence]) => {
      const read = () => modelServer(given, 'OPENAI');
      expect(read).toThrow(sentence);
      expect(read).not.toThrow(/kéy|secret/);
    },
  );

  test('the settings of the embedding server go by their own names', () => {
    const read = (given: Partial<Parameters<typeof modelServer>[0]>) => () =>
      modelServer({ apiKey, baseUrl: undefined, ...given }, 'OPENAI_EMBEDDING');
    expect(read({ apiKey: 'a b' })).toThrow('OPENAI_EMBEDDING_API_KEY must');
    expect(read({ baseUrl: 'http://a:b@two.example' })).toThrow('OPENAI_EMBEDDING_BASE_URL must');
  });
});
