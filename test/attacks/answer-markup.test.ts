import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { liveMarkup, renderedElements, visibleText } from '@teammemory/testkit/rendered-markup.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import type { ReadAnswer } from '../support/http/events.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { furtherMarkupShapes, markupShapes } from '../support/models/markup-shapes.ts';
import { sharedService } from '../support/service/shared-service.ts';

const shapes = [...markupShapes, ...furtherMarkupShapes];
const random = seededRandom(11);
const itemsOfPush = 50;
/** Each test asks twice, of a service that may be busy. */
const settings = { QUESTIONS_PER_MINUTE: '100000' };

/** Writes what the heron of the question is said to say, in pieces of any length, as a model that obeys an item would. */
const model = await startModelServer((reply, { body }) => {
  const question: string = body.messages.at(-1).content;
  const number = Number(/What does heron(\d+) say/.exec(question)?.[1]);
  const text = `The heron says [1]: ${shapes[number] ?? ''}\n\n${shapes[number] ?? ''} and no more [1].`;
  for (let start = 0; start < text.length; ) {
    const end = start + 1 + random.integerBelow(number % 3 === 0 ? 1 : 12);
    reply.text(text.slice(start, end));
    start = end;
  }
  reply.finish({ prompt_tokens: 1, completion_tokens: 1 });
});
afterAll(() => model.stop());
const modelSettings = {
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_MODEL: 'parrot',
  MODEL_PRICES: '{"parrot":{"input":0,"output":0}}',
};

/** Has a guest push every shape, and gives the team's key. */
function teamWithShapes(service: ReturnType<typeof sharedService>): () => TeamClients {
  let clients: TeamClients;
  beforeAll(async () => {
    clients = await newTeam(service());
    const items = shapes.flatMap((shape, index) => [
      item(`inline/${index}.md`, `# Heron${index}\n\nThe heron${index} says: ${shape}`, {
        tier: 'external',
        frontmatter: { title: `Heron${index} ${shape}`.slice(0, 150) },
      }),
      item(`block/${index}.md`, `What the heron${index} says:\n\n${shape}\n\nThat says heron${index}.`, {
        tier: 'external',
      }),
    ]);
    for (let start = 0; start < items.length; start += itemsOfPush) {
      const { status } = await clients.external.push(...items.slice(start, start + itemsOfPush));
      expect(status).toBe(200);
    }
  });
  return () => clients;
}

function expectInert({ text, sources }: ReadAnswer): void {
  expect({ text, live: liveMarkup(text) }).toEqual({ text, live: [] });
  expect(sources.length).toBeGreaterThan(0);
  for (const { title } of sources) expect({ title, live: liveMarkup(title) }).toEqual({ title, live: [] });
}

test('there are more than 100 shapes of markup', () => {
  expect(new Set(shapes).size).toBeGreaterThan(100);
});

describe('of quotes', () => {
  const service = sharedService({ environment: settings });
  const team = teamWithShapes(service);

  test.for(shapes.map((shape, index) => [index, shape.slice(0, 100)] as const))(
    'shape %i that a guest pushed is inert in the answer of a member: %j',
    async ([index]) => {
      const answer = await team().team.ask(`What does heron${index} say?`);
      expectInert(answer);
      expect(answer.text).toMatch(new RegExp(`heron${index}|says`));
    },
  );

  test('a passage is verbatim but for its markup, and a link shows its address', async () => {
    await team().team.push(
      item(
        'pelican.md',
        'The pelican reads `List<string>` in **[the guide](https://example.test/a?b=c)**, a < b.',
      ),
    );
    const { text } = await team().team.ask('What does the pelican read?');
    expect(text).toContain(
      'The pelican reads `List<string>` in **the guide (https://example.test/a?b=c)**, a < b. [1]',
    );
    expect(visibleText(text)).toContain('the guide (https://example.test/a?b=c)');
    expect(renderedElements(text, 'a')).toEqual(['https://example.test/a?b=c']);
    expect(renderedElements(text, 'code')).toEqual(['List<string>']);
  });
});

describe('of a model that obeys', () => {
  const service = sharedService({ environment: { ...settings, ...modelSettings } });
  const team = teamWithShapes(service);

  test.for(shapes.map((shape, index) => [index, shape.slice(0, 100)] as const))(
    'shape %i is inert in what it writes: %j',
    async ([index]) => {
      const before = model.requests.length;
      const answer = await team().team.ask(`What does heron${index} say?`);
      expectInert(answer);
      expect(answer.text).toMatch(/^The heron says \[1\] : /);
      expect(model.requests.length).toBe(before + 1);
    },
  );
});

describe('where the operator wants all markup', () => {
  const service = sharedService({ environment: { ...settings, ...modelSettings, ANSWER_MARKUP: 'full' } });
  const team = teamWithShapes(service);

  test('a model and a quote keep theirs', async () => {
    const { text } = await team().team.ask('What does heron0 say?');
    expect(text).toContain(shapes[0]);
    expect(liveMarkup(text)).not.toEqual([]);
  });
});
