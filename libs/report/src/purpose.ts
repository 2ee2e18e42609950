import type { Purpose } from './session-event.ts';

/** Characters of a command that are looked at. */
const maxCommandCharacters = 2_000;

const purposes: Readonly<Record<string, Purpose>> = {
  // Claude Code
  edit: 'change',
  multiedit: 'change',
  write: 'change',
  notebookedit: 'change',
  bash: 'run',
  task: 'delegate',
  agent: 'delegate',
  // Codex
  apply_patch: 'change',
  shell: 'run',
  shell_command: 'run',
  local_shell: 'run',
  exec_command: 'run',
  spawn_agent: 'delegate',
  // opencode
  patch: 'change',
  // Gemini CLI
  write_file: 'change',
  replace: 'change',
  run_shell_command: 'run',
  // Cursor
  edit_file: 'change',
  search_replace: 'change',
  delete_file: 'change',
  run_terminal_cmd: 'run',
  run_terminal_command: 'run',
};

/** Commands that say whether what was written is right. */
const verifying = [
  /(?:^|[\s;&|(/])(?:npm|pnpm|yarn|bun|deno)(?: run)? (?:--silent )?(?:t|tests?|check|lint|typecheck|build)(?:[:\s;&|]|$)/,
  /(?:^|[\s;&|(/])(?:vitest|jest|mocha|playwright|cypress|pytest|tox|nox|ruff|mypy|pyright|pylint|flake8|eslint|biome|tsc|rspec|rubocop|phpunit|phpstan|ctest|golangci-lint|shellcheck)(?:[\s;&|]|$)/,
  /(?:^|[\s;&|(/])(?:go (?:test|vet|build)|cargo (?:test|check|clippy|build|nextest)|dotnet (?:test|build)|swift (?:test|build)|mix test|node --test|python3? -m (?:pytest|unittest)|rake test)(?:[\s;&|]|$)/,
  /(?:^|[\s;&|(/])(?:gradlew?|mvnw?|make|just) (?:[^;&|]{0,80} )?(?:test|check|lint|verify|build)(?:[\s;&|]|$)/,
];

/** Says what a call is for, by the name of the tool and the command that it runs, if any. */
export function purposeOf(tool: string, command = ''): Purpose {
  const name = tool.toLowerCase().replace(/_v\d$/, '');
  const purpose = Object.hasOwn(purposes, name) ? purposes[name] : undefined;
  if (purpose !== 'run') return purpose ?? 'other';
  const shown = command.slice(0, maxCommandCharacters);
  return verifying.some((pattern) => pattern.test(shown)) ? 'verify' : 'run';
}
