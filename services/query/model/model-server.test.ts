import { expect, test } from 'vitest';
import { modelServer } from './model-server.ts';

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
