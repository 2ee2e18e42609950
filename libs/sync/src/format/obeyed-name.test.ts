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
])('%j may be more than a note', (rowKey) => {
  expect(obeyedName(rowKey)).toBeTypeOf('string');
});

test.for([
  'README.md',
  'notes/agents-of-change.md',
  'notes/the-claude-review.md',
  'skill-matrix.md',
  'décisions/тест.md',
  'projects/p1/tasks.md',
  'console.md',
  'v1.2.md',
  'commands.md',
])('%j is a note', (rowKey) => {
  expect(obeyedName(rowKey)).toBeUndefined();
});
