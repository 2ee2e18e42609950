import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { answerMarkdown } from './answer-markdown.ts';

test('an answer is copied with its question and its sources', () => {
  const source = { tier: Tier.TEAM, date: '', status: '', byGuest: false, checkBy: '', quote: '' };
  const markdown = answerMarkdown(
    {
      question: 'And in\nwinter?',
      after: 'Where does it sleep?',
      text: 'In the harbour [1].\n',
      sources: [
        { ...source, rowKey: 'notes/the otter.md', title: 'The [otter]', kind: 'item' },
        { ...source, rowKey: 'decisions/d-1', title: 'Sail', kind: 'decision' },
      ],
      status: 'complete',
      at: '2026-11-20T09:00:00Z',
    },
    'https://memory.example.com',
  );
  expect(markdown).toBe(
    [
      '# Where does it sleep? And in winter?',
      '',
      'In the harbour [1].',
      '',
      '1. [The \\[otter\\]](https://memory.example.com/memory/notes/the%20otter.md)',
      '2. [Sail](https://memory.example.com/decisions/d-1)',
      '',
    ].join('\n'),
  );
});
