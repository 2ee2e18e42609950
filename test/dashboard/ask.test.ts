import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelReply, startModelServer } from '@teammemory/testkit/model-server.ts';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { harmfulElements } from '../support/dashboard/harmful-elements.ts';
import { narrow, sidewaysPixels, signIn, untilTitled, visitDashboard } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { markupShapes } from '../support/models/markup-shapes.ts';
import { breakableConnection } from '../support/proxies/breakable-connection.ts';

const question = 'Where does the otter Bartholomew sleep?';
const otter = [
  '# The otter',
  '',
  'Bartholomew came to the harbour in spring.',
  '',
  'The otter Bartholomew sleeps in the third boathouse of the harbour.',
  '',
  ...Array.from({ length: 60 }, (_, line) => `Fish number ${line} was eaten.\n`),
].join('\n');

const model = await startModelServer((reply) => reply.finish());
afterAll(() => model.stop());
const usage = { prompt_tokens: 100, completion_tokens: 9 };
/** Answers at once, with a citation of the only source. */
const answerAtOnce = (reply: ModelReply) => {
  reply.text('The otter Bartholomew sleeps in the third boathouse of the harbour [', '1', '].');
  reply.finish(usage);
};

const box = (page: Page) => page.getByRole('textbox', { name: 'Your question' });
const untilAsks = (page: Page, text: string) =>
  eventually(`the box has "${text}"`, async () => (await box(page).inputValue()) === text);
const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });

describeDashboard(
  'the page Ask',
  (dashboard) => {
    async function otterTeam() {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('animals/otter.md', otter));
      await team.team.push(item('open.md', '# Open\n\nFish is open to guests.', { tier: 'external' }));
      return team;
    }

    async function ask(page: Page, text = question): Promise<void> {
      await box(page).fill(text);
      await page.keyboard.press('Enter');
    }

    test('shows the answer while it is written, and a person can stop it', async () => {
      const { teamKey } = await otterTeam();
      const hungUp = Promise.withResolvers<void>();
      model.script = async (reply) => {
        reply.text('The otter sleeps in the');
        await reply.closed;
        hungUp.resolve();
      };
      const { page } = await dashboard().visit({ key: teamKey });
      await ask(page);
      await answer(page).getByText('The otter sleeps in').first().waitFor();
      await expectAccessible(page, 'an answer that is being written');
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('You stopped this answer.').waitFor();
      await hungUp.promise;
    });

    test('back and forward show the question and the answer of the address', async () => {
      const { teamKey } = await otterTeam();
      model.script = answerAtOnce;
      const { page } = await dashboard().visit({ key: teamKey });
      await ask(page);
      await answer(page).getByRole('heading', { name: question }).waitFor();
      await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
      await ask(page, 'Who ate fish number 3?');
      await answer(page).getByRole('heading', { name: 'Who ate fish number 3?' }).waitFor();
      await page.goBack();
      await answer(page).getByRole('heading', { name: question }).waitFor();
      await untilAsks(page, question);
      expect(new URL(page.url()).searchParams.get('q')).toBe(question);
      await page.goBack();
      await answer(page).waitFor({ state: 'detached' });
      await untilAsks(page, '');
      await page.goForward();
      await answer(page).getByRole('heading', { name: question }).waitFor();
    });

    test('a citation opens its item beside the answer, with the passage marked and in view', async () => {
      const { teamKey } = await otterTeam();
      model.script = answerAtOnce;
      const { page } = await dashboard().visit({ key: teamKey });
      await ask(page);
      const citation = page.getByRole('button', { name: 'Source 1', exact: true });
      await answer(page).getByText('Asked').waitFor();
      // The text is laid out beside the page's own thread: what comes with it may be the last to show.
      await citation.waitFor();
      const place = await answer(page).boundingBox();
      await citation.click();
      const source = page.getByRole('complementary', { name: /Source 1/ });
      const mark = source.locator('mark').first();
      await mark.waitFor();
      expect(await source.locator('mark').allTextContents()).toEqual([
        'The otter Bartholomew sleeps in the third boathouse of the harbour',
      ]);
      await eventually('the passage is in view', () => mark.evaluate(isInView));
      expect(await answer(page).boundingBox()).toEqual(place);
      await expectAccessible(page, 'an answer with a source beside it');
      await page.keyboard.press('Escape');
      await source.waitFor({ state: 'detached' });
      await citation.and(page.locator(':focus')).waitFor();
      await page.setViewportSize(narrow);
      await citation.press('Enter');
      await source.locator('mark').first().waitFor();
      expect(await sidewaysPixels(page)).toBe(0);
      // Nothing lies over what cites it.
      await citation.click({ trial: true });
      await source.getByRole('button', { name: 'Close the source' }).click();
      await source.waitFor({ state: 'detached' });
      await expectAccessible(page, 'an answer on a narrow screen');
    });

    test('screen readers hear an answer politely, sentence by sentence, and that it is complete', async () => {
      const { teamKey } = await otterTeam();
      const rest = Promise.withResolvers<void>();
      model.script = async (reply) => {
        reply.text('It sleeps in the harbour [1]. There is a bo');
        await rest.promise;
        reply.text('athouse [1].');
        reply.finish(usage);
      };
      const { page } = await dashboard().visit({ key: teamKey });
      await ask(page);
      const heard = answer(page).locator('[aria-live="polite"]').first();
      await eventually('the first sentence', async () =>
        /harbour\. *$/.test((await heard.textContent()) ?? ''),
      );
      rest.resolve();
      await eventually('the end', async () =>
        (await heard.textContent())?.includes('complete, with 1 source'),
      );
      expect(await heard.textContent()).not.toContain('[1]');
    });

    test('an answer stays until its reader signs out, and is shown, copied and followed up without asking it again', async () => {
      const { teamKey, newKey } = await otterTeam();
      model.script = answerAtOnce;
      const { page, context, url } = await dashboard().visit({ key: teamKey });
      await ask(page);
      await answer(page).getByText('Asked').waitFor();
      model.requests.length = 0;
      await page.reload();
      await answer(page).getByText('third boathouse').first().waitFor();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy as Markdown' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
        `1. [The otter](${url}/memory/animals/otter.md)`,
      );
      expect(model.requests).toEqual([]);
      await page.getByRole('textbox', { name: 'Follow-up question' }).fill('And in winter?');
      await page.keyboard.press('Enter');
      await answer(page).getByText(`Asked together with: ${question}`).waitFor();
      await answer(page).getByText('third boathouse').first().waitFor();
      expect(JSON.stringify(model.requests)).toContain(`${question}\\nAnd in winter?`);
      await page.goBack();
      await answer(page).getByRole('heading', { name: question }).waitFor();
      await page.goForward();
      await answer(page).getByRole('heading', { name: 'And in winter?' }).waitFor();
      await page.goto(url);
      const earlier = page.getByRole('link', { name: question, exact: true });
      await earlier.click();
      await answer(page).getByText('third boathouse').first().waitFor();
      expect(model.requests).toHaveLength(1);
      await page.getByRole('button', { name: 'Ask again' }).click();
      await eventually('asked again', async () => model.requests.length === 2);
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByLabel('Your key').waitFor();
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/otter|boathouse|winter/);
      await signIn(page, await newKey('team', { member: 'bo' }));
      await page.goto(url);
      await page.getByRole('region', { name: 'In the last 7 days' }).waitFor();
      expect(await earlier.count()).toBe(0);
      await ask(page);
      await answer(page).getByText('Asked').waitFor();
      await ask(page, 'Another question?');
      await page.getByRole('button', { name: 'Forget them' }).click();
      await earlier.waitFor({ state: 'detached' });
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(question);
    });

    test('a shared link brings the question to a colleague, and asks nothing by itself', async () => {
      const { teamKey, newKey } = await otterTeam();
      model.script = answerAtOnce;
      const { page } = await dashboard().visit({ key: teamKey });
      await ask(page);
      await answer(page).getByText('third boathouse').first().waitFor();
      const path = new URL(page.url()).pathname + new URL(page.url()).search;
      expect(decodeURIComponent(path.replaceAll('+', ' '))).toContain(question);
      expect(path).not.toContain('boathouse');
      model.requests.length = 0;
      const colleague = await dashboard().visit({ key: await newKey('team', { member: 'bo' }), path });
      await untilAsks(colleague.page, question);
      expect(model.requests).toEqual([]);
      await colleague.page.getByRole('button', { name: 'Ask', exact: true }).click();
      await answer(colleague.page).getByText('third boathouse').first().waitFor();
    });

    test('an answer whose connection breaks keeps what came, and says that it is not complete', async () => {
      const { teamKey } = await otterTeam();
      model.script = async (reply) => {
        reply.text('The otter sleeps in the');
        await reply.closed;
      };
      const way = await breakableConnection(dashboard().service.url);
      const visit = await visitDashboard(dashboard().browser, new URL(way.url).origin, { key: teamKey });
      visit.expectFaults(/^net::ERR_/);
      const { page } = visit;
      await ask(page);
      await answer(page).getByText('The otter sleeps in').first().waitFor();
      way.cut();
      await answer(page).getByRole('alert').waitFor();
      await answer(page).getByText('The otter sleeps in').first().waitFor();
      await answer(page).getByRole('button', { name: 'Try again' }).waitFor();
    });

    test('a guest asks too, and is answered from what guests may see', async () => {
      const { externalKey } = await otterTeam();
      model.script = (reply) => {
        reply.text('Fish is open to guests [1]. The rest is unknown [2].');
        reply.finish(usage);
      };
      const { page } = await dashboard().visit({ key: externalKey });
      await ask(page, 'Is the fish open to guests?');
      const sources = page.getByRole('list', { name: 'Sources' });
      await sources.waitFor();
      expect(await sources.getByRole('listitem').count()).toBe(1);
      expect(await page.locator('body').textContent()).not.toContain('otter.md');
      await page.getByRole('button', { name: 'Source 1', exact: true }).click();
      await page
        .getByRole('complementary', { name: /Source 1/ })
        .getByText('Fish is open')
        .first()
        .waitFor();
    });

    test('whatever a model writes, nothing in the answer runs, loads or leads away unseen', {
      timeout: 60_000,
    }, async () => {
      const { teamKey } = await otterTeam();
      const visit = await dashboard().visit({ key: teamKey });
      const { page } = visit;
      const texts = markupShapes.filter((_, index) => index % 2 === 0);
      const batches = Array.from({ length: 4 }, (_, batch) =>
        texts.filter((_text, index) => index % 4 === batch).join('\n\n'),
      );
      for (const [number, text] of batches.entries()) {
        model.script = (reply) => {
          reply.text(`Begin ${number}.\n\n${text}\n\nThe otter sleeps [1].`);
          reply.finish(usage);
        };
        await ask(page, `${question} ${number}`);
        await eventually('the whole answer', async () =>
          /is complete/.test((await answer(page).locator('[aria-live]').first().textContent()) ?? ''),
        );
        expect(await harmfulElements(answer(page))).toEqual([]);
      }
      await untilTitled(page, 'Ask');
      expect(visit.faults()).toEqual([]);
    });
  },
  {
    environment: {
      OPENAI_API_KEY: 'sk-dashboard-ask-0123456789',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'writer',
      MODEL_PRICES: '{"writer":{"input":1,"output":2}}',
    },
  },
);

// biome-ignore lint/suspicious/noExplicitAny: an element of the browser, whose types are not those of Node
function isInView(element: any): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
}
