import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { bystanderBoundMs, printFigures, startBystander } from '../support/attacks/bystander.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { describeEachService } from '../support/service/shared-service.ts';

const marked = (frontmatter: unknown) => ({ frontmatter });

/** Items that somebody meant to keep: the rest of an item, by what marks it. */
const privateItems: Record<string, Record<string, unknown>> = {
  'one of several words': marked({ audience: 'private, team' }),
  'a zero-width space': marked({ audience: 'pri\u200bvate' }),
  'a byte-order mark': marked({ audience: '\ufeffprivate' }),
  'wide letters': marked({ audience: 'ＰＥＲＳＯＮＡＬ' }),
  'letters of another alphabet': marked({ audience: 'рrivаtе' }),
  'an object': marked({ audience: { level: 'private' } }),
  'a name in an object': marked({ audience: { private: true } }),
  'a list in a list': marked({ audience: [['team'], ['admin']] }),
  'a blank behind the name': marked({ 'audience ': 'private' }),
  'a name in capitals with a zero-width joiner': marked({ 'AUDI\u200dENCE': 'private' }),
  'a merged mapping': marked({ '<<': { audience: 'private' } }),
  'a tier in front matter': marked({ tier: 'private' }),
  'a tier with a blank': { tier: ' private ' },
  'a tier with a zero-width space': { tier: 'ad\u200bmin' },
  'front matter in its content': { content: '---\naudience: private\n---\n\n# A\n' },
  'a list in front matter in its content': {
    content: '\ufeff---\r\naudience:\r\n  - team\r\n  - Private\r\n---\r\n',
  },
  'an alias in front matter in its content': { content: '---\nwho: &w private\naudience: *w\n---\n' },
  'quotes and escapes in its content': { content: '---\n"aud\\u0069ence": "priv\\x61te"\n---\n' },
  'braces in its content': { content: '---\n{title: a, audience: private}\n---\n' },
  'front matter as text': { frontmatter_text: 'title: a\naudience: private # mine' },
  'front matter as text, and nothing else right': { frontmatter_text: 'audience: private', content: 7 },
  'front matter as text with bytes': { frontmatter_text: 'audience: !!binary cHJpdmF0ZQ==' },
  'a list of one': marked({ 'audience[0]': 'private' }),
  'small capitals': marked({ audience: 'ᴘʀɪᴠᴀᴛᴇ' }),
  'letters that stand apart': marked({ audience: 'p.r.i.v.a.t.e' }),
  'a word behind a number sign': { content: '---\naudience: "team # private"\n---\n' },
  'TOML in its content': { content: '+++\naudience = "private"\n+++\n' },
};
const openItems: Record<string, Record<string, unknown>> = {
  'a title about private matters': marked({ title: 'private', audience: 'team' }),
  'a text about an audience': { content: '# Audience: private\n\naudience: private\n' },
  'front matter as text about private matters': {
    frontmatter_text: 'title: private\naudience: team # private?',
  },
  'a rule and a sentence': { content: '---\n\nWhat is private stays so.\n\n---\n' },
};

const named = (items: Record<string, Record<string, unknown>>) =>
  Object.entries(items).map(([name, changes]) => item(`${name}.md`, `# ${name}\n`, changes));

describeEachService('content that is marked as private', (service) => {
  test('is refused as such, item by item, however it is marked, and stored nowhere', async () => {
    const { team } = await newTeam(service());
    const hidden = named(privateItems);
    const open = named(openItems);
    const { status, body } = await team.push(...hidden, ...open);
    expect([status, body.code]).toEqual([422, 'admin_tier']);
    expect(body).toMatchObject({ accepted: open.length, rejected: hidden.length });
    const refused = body.errors.map(({ row_key, code }: Record<string, string>) => `${row_key} ${code}`);
    expect(refused).toEqual(Object.keys(privateItems).map((name) => `${name}.md admin_tier`));
    const rowKeys = (await team.rows('?limit=200')).map(({ row_key }) => row_key);
    expect(rowKeys.toSorted()).toEqual(
      Object.keys(openItems)
        .map((name) => `${name}.md`)
        .toSorted(),
    );
  });

  test('or is made to look so at great length, holds up nobody', async () => {
    const clients = await newTeam(service());
    const other = await newTeam(service());
    const bystander = await startBystander(service(), other);
    const large = ['{audience: a,', '"a":*b\n', '\\u0061', 'audience: [', '? ', '#', '  - private_\n', '\n '];
    for (const unit of large) {
      const content = `---\nx: privates\n${unit.repeat(1_000_000 / unit.length)}`;
      expect((await clients.team.push(item('a.md', content))).status).toBeLessThan(500);
    }
    const report = await bystander.stop();
    printFigures('a megabyte of front matter', report);
    expect([report.failures, report.worstMs < bystanderBoundMs]).toEqual([[], true]);
  });

  test('a cursor that is sealed with what a token says of its caller is refused', async () => {
    const { slug, teamKey, externalKey } = await newTeam(service());
    for (const [key, tier] of [
      [teamKey, 'team'],
      [externalKey, 'external'],
    ] as const) {
      const token = (await exchange(service(), key)).slice('Bearer '.length);
      const said = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      const ids = said.join().match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
      expect(ids.length).toBeGreaterThan(0);
      for (const list of ['items', 'tasks', 'decisions']) {
        for (const id of ids) {
          const place = Date.now().toString(36);
          const seal = createHmac('sha256', id).update(`${list}|${tier}|${place}`).digest('base64url');
          const cursor = `${place}.${seal.slice(0, 22)}`;
          const { status, body } = await keyHolder(service(), { slug }, key).call(
            `/${list}?cursor=${cursor}`,
          );
          expect([status, body.code]).toEqual([422, 'invalid_cursor']);
        }
      }
    }
  });
});
