import { expect, test } from 'vitest';
import { obeyedName } from './obeyed-name.ts';

test.for([
  'AGENTS.md',
  'agents.MD',
  'docs/AGENT.md',
  'CLAUDE.md',
  'claude.local.md',
  'GEMINI.markdown',
  'skills/x/SKILL.md',
  'skills/x/reference.md',
  'Skills/x.md',
  'commands/deploy.md',
  'a/hooks/b.md',
  'agents/reviewer.md',
  'output-styles/terse.md',
  'steering/product.md',
  'IFLOW.md',
  'copilot-instructions.md',
  'go.instructions.md',
  'review.prompt.md',
  'plan.chatmode.md',
  'SKILL.mdc.md',
  'AGENTS.override.md',
  '.cursorrules.md',
  '.hidden.md',
  'CON.md',
  'a/nul.md',
  'com1.notes.md',
  'lpt¹.md',
  'AGENTS.md:x.md',
  'a./b.md',
  'a /b.md',
  'skills /b.md',
  'CLAUDE~1.md',
  'ＡＧＥＮＴＳ.md',
  'AG\u200bENTS.md',
  'AGENTS\u00ad.md',
  'СLАUDЕ.md',
  'ЅKILL.md',
  '\u200b.git.md',
  'SK\u0131LL.md',
  'SOUL.md',
  'docs/HERMES.md',
  'TOOLS.md',
  'identity.md',
  'USER.md',
  'BOOTSTRAP.markdown',
  'HEARTBEAT.md',
  'ANYTHING-NEW.md',
  'A_B2.md',
  'FRESH.local.md',
  'ＦＲＥＳＨ.md',
  'FR\u200bESH.md',
  'ФРЕШ.md',
  'FRЕSH.md',
])('%j may be more than a note', (rowKey) => {
  expect(obeyedName(rowKey, 'external')).toBeTypeOf('string');
});

test.for([
  'README.md',
  'docs/README.de.md',
  'CHANGELOG.md',
  'LICENSE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  '2026-11-24.md',
  '日本語.md',
  'Notes.md',
  'notes/agents-of-change.md',
  'notes/the-claude-review.md',
  'skill-matrix.md',
  'décisions/тест.md',
  'projects/p1/tasks.md',
  'console.md',
  'v1.2.md',
  'commands.md',
])('%j is a note', (rowKey) => {
  expect(obeyedName(rowKey, 'external')).toBeUndefined();
});

test('only of a guest is a name in capitals more than a note, because members have many', () => {
  expect(obeyedName('FAQ.md', 'external')).toMatch('capitals');
  expect(obeyedName('FAQ.md', 'team')).toBeUndefined();
  expect(obeyedName('AGENTS.md', 'team')).toMatch('tools');
});
