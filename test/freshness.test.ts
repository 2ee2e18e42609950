import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { connectAgent } from './support/mcp/agent.ts';
import { describeEachService } from './support/service/shared-service.ts';

describeEachService('a note whose day to be checked has passed', (service) => {
  test('says so where it is found or cited, and no other note does', async () => {
    const clients = await newTeam(service());
    const { team } = clients;
    const note = (name: string, frontmatter: Record<string, unknown>) =>
      item(`${name}.md`, `# ${name}\n\nThe ferry of ${name} leaves at nine.\n`, { frontmatter });
    await team.push(
      note('Kuopio', { review_by: '2024-03-01' }),
      note('Oulu', { review_by: '2999-03-01' }),
      note('Turku', { stale_after: '90d' }),
      note('Vaasa', { review_by: 'soon' }),
    );
    const { body } = await team.call('/search?q=When%20does%20the%20ferry%20leave');
    const since = body.passages.map((passage: Record<string, unknown>) => [
      passage.title,
      passage.to_be_checked_since,
    ]);
    expect(since.toSorted()).toEqual([
      ['Kuopio', '2024-03-01'],
      ['Oulu', undefined],
      ['Turku', undefined],
      ['Vaasa', undefined],
    ]);
    const { sources } = await team.ask('When does the ferry of Kuopio leave?');
    expect(sources[0]).toMatchObject({ row_key: 'Kuopio.md', to_be_checked_since: '2024-03-01' });
    const agent = await connectAgent(service(), clients, team.key);
    const { text } = await agent.call('search', { query: 'ferry of Kuopio' });
    expect(text.match(/to be checked since \S+/g)).toEqual(['to be checked since 2024-03-01']);
    await agent.close();
  });
});
