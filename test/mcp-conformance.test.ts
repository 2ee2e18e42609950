import { setTimeout as delay } from 'node:timers/promises';
import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { runServerScenarios, type ScenarioResult, serverScenarios } from './support/mcp/conformance-run.ts';
import { type KeyAddingProxy, keyAddingProxy } from './support/proxies/key-adding-proxy.ts';
import { sharedService } from './support/service/shared-service.ts';

// The scenarios of @modelcontextprotocol/conformance ask for tools, prompts and resources of a server that was made for
// them. A proxy gives ours these names, and adds the key, which the scenarios cannot send. Those of authorization test a
// client, against a server of their own: no program of this repository signs in by OAuth.

/** The scenarios that a server like ours has to pass. */
const applying = [
  ...['server-initialize', 'ping', 'dns-rebinding-protection', 'completion-complete'],
  ...['tools-list', 'tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress'],
  ...['resources-list', 'resources-read-text', 'resources-templates-read'],
  ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args'],
];

/** Those that do not apply, by the reason. */
const notApplyingBecause = {
  'the memory has texts only': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-mixed-content',
    'resources-read-binary',
    'prompts-get-with-image',
  ],
  'results link to items and prompts quote them, instead of embedding them': [
    'tools-call-embedded-resource',
    'prompts-get-embedded-resource',
  ],
  'requires a tool with one particular schema': ['json-schema-2020-12'],
  'the server sends clients no log messages': ['logging-set-level', 'tools-call-with-logging'],
  'the server asks clients for nothing': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  // `subscriptions/listen` of revision 2026-07-28 takes the place of subscribing in a session.
  'no session is kept': [
    'resources-subscribe',
    'resources-unsubscribe',
    'server-sse-polling',
    'server-sse-multiple-streams',
  ],
};
const notApplying: readonly string[] = Object.values(notApplyingBecause).flat();

/**
 * The scenario about progress wants to hear of it three times, which takes an answer that is written slowly. Words that come
 * within 250 ms of others, as they do on a busy machine, are not told of.
 */
const model = await startModelServer(async (reply) => {
  for (const word of 'The harbour opens at nine in the morning, as the notes say [1].'.split(/(?<= )/)) {
    reply.text(word);
    await delay(300);
  }
  reply.finish({ prompt_tokens: 1, completion_tokens: 1 });
});
const service = sharedService({
  environment: {
    OPENAI_API_KEY: 'sk-conformance',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":0,"output":0}}',
  },
});

let proxy: KeyAddingProxy;
let results: Map<string, ScenarioResult>;
beforeAll(async () => {
  const { slug, team } = await newTeam(service());
  await team.push(
    item('harbour.md', 'The harbour opens at nine.'),
    item('template/123/data.md', 'Data for ID: 123'),
  );
  proxy = await keyAddingProxy(service().url, {
    headers: { authorization: `Bearer ${team.key}`, 'x-svc-team': slug },
    body: (text) => (text === '' ? text : JSON.stringify(withOurNames(JSON.parse(text), slug))),
  });
  results = await runServerScenarios(`${proxy.url}/mcp`);
});
afterAll(async () => {
  proxy.close();
  await model.stop();
});

/** What a message of a scenario names, by what ours has that behaves like it. */
function withOurNames(message: { params?: Record<string, unknown> }, team: string): object {
  const ours: Record<string, object> = {
    test_simple_text: { name: 'tasks', arguments: {} },
    test_error_handling: { name: 'fetch', arguments: { id: 'absent.md' } },
    test_tool_with_progress: { name: 'ask', arguments: { question: 'When does the harbour open?' } },
    test_simple_prompt: { name: 'catch-up' },
    test_prompt_with_arguments: {
      name: 'before-you-start',
      arguments: { task: 'Open the harbour with testValue1 and testValue2' },
    },
    'test://static-text': { uri: `tms://${team}/harbour.md` },
    'test://template/123/data': { uri: `tms://${team}/template/123/data.md` },
  };
  const { params } = message;
  if (params === undefined) return message;
  if ('ref' in params) {
    const ref = { type: 'ref/resource', uri: `tms://${team}/{+row_key}` };
    return { ...message, params: { ...params, ref, argument: { name: 'row_key', value: 'har' } } };
  }
  return { ...message, params: { ...params, ...ours[String(params.name ?? params.uri)] } };
}

describe('the official conformance tests', () => {
  test('every scenario of the package either applies or is listed with the reason why it does not', async () => {
    expect((await serverScenarios()).toSorted()).toEqual([...applying, ...notApplying].toSorted());
  });

  test.for(applying)('the scenario %s passes', (scenario) => {
    expect(results.get(scenario)).toEqual({ passed: true, failures: [] });
  });

  test('no scenario that is said not to apply passes', () => {
    const passing = [...results].filter(([, { passed }]) => passed).map(([scenario]) => scenario);
    expect(passing.filter((scenario) => notApplying.includes(scenario))).toEqual([]);
  });
});
