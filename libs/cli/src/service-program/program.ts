import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildVersion, productVersion } from '@teammemory/config/product-version.ts';
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import { CliError, failedExitCode, usageError } from '../cli-error.ts';
import { askSystem, startPlan, stopPlan } from '../system-plan.ts';
import { dataFolder, homeFolder } from '../user-folders.ts';
import { newerVersion } from './newer-version.ts';
import { type ServicePlan, servicePlan } from './service-plan.ts';

/** Parts that run in a process of their own, as docs/deploying.md says. */
export const parts = ['gateway', 'content', 'auth', 'analytics', 'query'] as const;
export type Part = (typeof parts)[number];

/** What the program uses of its surroundings. */
export interface ServiceContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: string;
  /** What starts this program: Node and the script, or a single executable. */
  command: readonly string[];
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown };
  /** Runs the whole service in this process, with these settings on top of the environment. */
  runAll(settings: Record<string, string>, options: { open: boolean }): Promise<void>;
  runPart(part: Part, settings: Record<string, string>): Promise<void>;
}

interface RunFlags {
  port?: string;
  data?: string;
  open?: boolean;
  demo: boolean;
}

const registry = 'https://registry.npmjs.org/';

/**
 * Runs the program `team-memory-service` with its arguments. Returns the exit code, or undefined while the service runs.
 */
export async function runServiceProgram(
  args: readonly string[],
  context: ServiceContext,
): Promise<number | undefined> {
  let code: number | undefined = 0;
  const program = createProgram(context, () => {
    code = undefined;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : usageError('').exitCode;
    if (!(thrown instanceof CliError)) throw thrown;
    context.stderr.write(`team-memory-service: ${thrown.message}\n`);
    return thrown.exitCode;
  }
}

function createProgram(context: ServiceContext, onRun: () => void): Command {
  const program = new Command('team-memory-service');
  program
    .description('A team memory that you host yourself: the whole service, or one part of it.')
    .version(buildVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    .addArgument(new Argument('[part]', 'one part, where parts run in separate processes').choices(parts))
    .action(async (part: Part | undefined, flags: RunFlags) => {
      onRun();
      await start(part, flags, context);
    });
  addRunFlags(program)
    .option('--open', 'open the dashboard in the browser, on a terminal')
    .addHelpText('after', `\nSettings come from the environment; docs/configuration.md lists them.`);
  const service = program
    .command('service')
    .description('run the service when you sign in, and again when it fails')
    .exitOverride();
  addRunFlags(service.command('install').description('install it for this user, and start it')).action(
    (_, command) => install(command.optsWithGlobals(), context),
  );
  service
    .command('status')
    .description('print what the system says of it')
    .action(() => status(context));
  service
    .command('uninstall')
    .description('stop it; its data stays')
    .action(() => uninstall(context));
  program
    .command('update')
    .description('ask the registry of npm whether there is a newer version')
    .action(() => update(context));
  return program;
}

function addRunFlags(command: Command): Command {
  return command
    .option('--port <number>', 'listen for clients on this port instead of 8080', readPort)
    .option('--data <folder>', "keep data there instead of in the platform's folder for data")
    .option('--no-demo', 'make no demo team');
}

function readPort(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It is a number from 0 to 65535.');
  return text;
}

async function start(part: Part | undefined, flags: RunFlags, context: ServiceContext): Promise<void> {
  const port: Record<string, string> = flags.port === undefined ? {} : { PORT: flags.port };
  if (part !== undefined) {
    if (flags.data !== undefined || flags.open || !flags.demo)
      throw usageError('--data, --open and --no-demo are for the whole service.');
    return context.runPart(part, port);
  }
  const settings = {
    ...port,
    ...(flags.demo ? {} : { DEMO: 'off' }),
    DATA_DIR: dataFolderFor(flags, context),
  };
  return context.runAll(settings, { open: flags.open === true && context.stdout.isTTY === true });
}

function dataFolderFor({ data }: RunFlags, { env, cwd, platform }: ServiceContext): string {
  return resolve(cwd, data ?? (env.DATA_DIR || dataFolder(platform, env)));
}

function planFor(flags: RunFlags, context: ServiceContext): ServicePlan {
  const folder = dataFolderFor(flags, context);
  const port = flags.port === undefined ? [] : ['--port', flags.port];
  return servicePlan(context.platform, {
    home: homeFolder(context.env),
    dataFolder: folder,
    command: [...context.command, ...port, '--data', folder, ...(flags.demo ? [] : ['--no-demo'])],
  });
}

async function install(flags: RunFlags, context: ServiceContext): Promise<void> {
  // npm deletes that folder when it likes.
  if (/[\\/]_npx[\\/]/.test(context.command.join(' ')))
    throw usageError('First install it for good: npm install --global team-memory-service');
  await mkdir(dataFolderFor(flags, context), { recursive: true, mode: 0o700 });
  const plan = planFor(flags, context);
  await startPlan(plan, homeFolder(context.env), context.env);
  context.stdout.write(
    `The service runs, and starts when you sign in.\nData: ${dataFolderFor(flags, context)}\nLog:  ${plan.logs}\n`,
  );
}

async function uninstall(context: ServiceContext): Promise<void> {
  const wasThere = await stopPlan(planFor({ demo: true }, context), homeFolder(context.env), context.env);
  context.stdout.write(
    wasThere ? 'The service no longer runs by itself. Its data stays.\n' : 'It was not installed.\n',
  );
}

async function status(context: ServiceContext): Promise<void> {
  const said = await askSystem(planFor({ demo: true }, context).status, context.env);
  if (said === undefined)
    throw new CliError('not_installed', 'The service is not installed here.', failedExitCode);
  context.stdout.write(said);
}

async function update({ env, stdout, command }: ServiceContext): Promise<void> {
  const newer = await newerVersion(productVersion, env.npm_config_registry || registry).catch(() => {
    throw new CliError('no_registry', 'The registry of npm did not tell a version.', failedExitCode);
  });
  if (newer === undefined) {
    stdout.write(`${productVersion} is the newest version.\n`);
    return;
  }
  // A single executable is its whole command; Homebrew has the package for npm, too.
  const byNpm = command.length === 1 ? '' : ` With npm: npm install --global team-memory-service@${newer}`;
  stdout.write(`${newer} is there, this is ${productVersion}. Get it the way you got this one.${byNpm}\n`);
}
