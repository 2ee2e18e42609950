import { Argument, type Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** What can follow the words of a command. */
interface Place {
  /** Such as `admin key`; empty for the start. */
  words: string;
  commands: { name: string; summary: string }[];
  options: { flag: string; summary: string; choices: readonly string[] }[];
  /** What its first argument can be, if that is one of a few words. */
  choices: readonly string[];
}

/** Adds `tms completion`. Prints the script; with `--json` `{ shell, script }`. */
export function addCompletion(program: Command, { finish, wholeProgram }: CommandHost): void {
  program
    .command('completion')
    .description('print the script that completes commands and options on Tab')
    .addArgument(new Argument('<shell>', 'the shell that you use').choices(shells))
    .action(async (shell: Shell) => {
      const script = completionScript(shell, await wholeProgram());
      finish({ json: { shell, script }, text: script.trimEnd() });
    });
}

/** Makes the script of a shell from the tree of commands. */
function completionScript(shell: Shell, program: Command): string {
  const places = placesOf(program, '', optionsOf(program));
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](places);
}

function placesOf(command: Command, words: string, shared: Place['options']): Place[] {
  const own: Place = {
    words,
    commands: command.commands.map((child) => ({ name: child.name(), summary: child.description() })),
    options: [...(words === '' ? [] : optionsOf(command)), ...shared, help],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  const below = command.commands.flatMap((child) =>
    placesOf(child, words === '' ? child.name() : `${words} ${child.name()}`, shared),
  );
  return [own, ...below];
}

const help = { flag: '--help', summary: 'show help', choices: [] };

function optionsOf(command: Command): Place['options'] {
  return command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long, description, argChoices }) => ({
      flag: long ?? '',
      summary: description,
      choices: argChoices ?? [],
    }));
}

/** The pattern of `case` for all places, with which a script follows the words typed so far into the tree. */
function knownWords(places: readonly Place[]): string {
  return places.flatMap(({ words }) => (words === '' ? [] : [quoted(words)])).join('|');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function bashScript(places: readonly Place[]): string {
  return `# tms completion for bash: eval "$(tms completion bash)"
_tms() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place='' next found='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${place:+$place }\${COMP_WORDS[i]}"
    case "$next" in
    ${knownWords(places)}) place="$next" ;;
    esac
  done
${caseOf(places, (words) => `found=${quoted(words.join(' '))}`)}
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _tms tms
`;
}

function zshScript(places: readonly Place[]): string {
  return `#compdef tms
# tms completion for zsh: eval "$(tms completion zsh)", after compinit
_tms() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" place='' next i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    next="\${place:+$place }\${words[i]}"
    case "$next" in
    ${knownWords(places)}) place="$next" ;;
    esac
  done
${caseOf(places, (words) => `found=(${words.map(quoted).join(' ')})`)}
  if (( \${#found} )); then compadd -- "\${found[@]}"; else _files; fi
}
compdef _tms tms
`;
}

/** Chooses by the place, then by the word before, then by how the current word begins. */
function caseOf(places: readonly Place[], assign: (words: readonly string[]) => string): string {
  const lines = places.map(({ words, commands, options, choices }) => {
    const values = options
      .filter((option) => option.choices.length > 0)
      .map((option) => `      ${option.flag}:*) ${assign(option.choices)} ;;`);
    return [
      `  ${quoted(words)})`,
      '    case "$previous:$current" in',
      ...values,
      `      *:-*) ${assign(options.map(({ flag }) => flag))} ;;`,
      `      *) ${assign([...commands.map(({ name }) => name), ...choices])} ;;`,
      '    esac ;;',
    ].join('\n');
  });
  return `  case "$place" in\n${lines.join('\n')}\n  esac`;
}

function fishScript(places: readonly Place[]): string {
  const known = places.filter(({ words }) => words !== '').map(({ words }) => fishQuoted(words));
  const lines = places.flatMap(({ words, commands, options, choices }) => {
    const here = `complete -c tms -n ${fishQuoted(`__tms_at ${fishQuoted(words)}`)}`;
    return [
      ...commands.map(({ name, summary }) => `${here} -f -a ${name} -d ${fishQuoted(summary)}`),
      ...(choices.length > 0 ? [`${here} -f -a ${fishQuoted(choices.join(' '))}`] : []),
      ...options.map((option) => {
        const values = option.choices.length > 0 ? ` -x -a ${fishQuoted(option.choices.join(' '))}` : '';
        return `${here} -l ${option.flag.slice(2)} -d ${fishQuoted(option.summary)}${values}`;
      }),
    ];
  });
  return `# tms completion for fish: tms completion fish | source
function __tms_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    if contains -- "$next" ${known.join(' ')}
      set place "$next"
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
