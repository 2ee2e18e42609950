import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { workspaceOrigin } from '../clients.ts';
import { changeConfig, configPath, readConfig, textSettings } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { findKey, findTarget, rpcUrlFrom } from '../settings.ts';
import { line, lines } from '../terminal.ts';

type SettingName = (typeof textSettings)[number];

interface ConfigOptions extends GlobalOptions {
  unset?: boolean;
}

interface ShownSetting {
  name: string;
  value: string;
  from: string;
}

/** Adds `tms config`. Prints `{ config, settings: [{ name, value, from }] }`; secrets are shortened. */
export function addConfig(program: Command, { context, finish }: CommandHost): void {
  program
    .command('config')
    .description('show the settings and where each comes from, or change one of the config file')
    .argument('[name]', `one of ${textSettings.join(', ')}`, settingName)
    .argument('[value]', 'its new value')
    .option('--unset', 'remove the setting')
    .action(async (name: SettingName | undefined, value: string | undefined, _: object, command: Command) => {
      const options = command.optsWithGlobals<ConfigOptions>();
      if (value !== undefined || options.unset) await change(name, value, options, context);
      finish(await show(name, options, context));
    });
}

function settingName(text: string): SettingName {
  const name = textSettings.find((each) => each === text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError(`It must be one of ${textSettings.join(', ')}.`);
}

async function change(
  name: SettingName | undefined,
  value: string | undefined,
  { unset }: ConfigOptions,
  context: CliContext,
): Promise<void> {
  if (name === undefined) throw usageError('--unset needs the name of a setting.');
  if (unset && value !== undefined) throw usageError('Give a value or --unset, not both.');
  if (value === '') throw usageError('The value is empty; --unset removes a setting.');
  await changeConfig(context, ({ [name]: _, ...others }) => (unset ? others : { ...others, [name]: value }));
}

async function show(
  name: SettingName | undefined,
  options: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  const all = await effective(options, context);
  const settings = name === undefined ? all : all.filter((each) => each.name === name);
  const texts = settings.map((each) => line`${each.name.padEnd(12)} ${each.value}  (${each.from})`);
  const path = configPath(context);
  return { json: { config: path, settings }, text: lines([line`config file  ${path}`, ...texts]) };
}

async function effective(options: GlobalOptions, context: CliContext): Promise<ShownSetting[]> {
  const config = await readConfig(context);
  const { url, team } = findTarget(options, context, config, await workspaceOrigin(context.cwd));
  const key = findKey(options, context, config, { url: url.value, team: team?.value ?? '' });
  const file = configPath(context);
  const shown: (ShownSetting | undefined)[] = [
    { name: 'url', ...url },
    team && { name: 'team', ...team },
    key && { name: 'key', value: shortened(key.value), from: key.from },
    ...Object.keys(config.keys ?? {}).map((name) => ({ name: 'keys', value: name, from: file })),
    ...Object.keys(config.agent_keys ?? {}).map((name) => ({ name: 'agent_keys', value: name, from: file })),
    { name: 'rpc_url', ...rpcUrlFrom(context, config) },
    first('admin_token', context.env.TMS_ADMIN_TOKEN, 'TMS_ADMIN_TOKEN', config.admin_token, file),
    first('data_dir', context.env.DATA_DIR, 'DATA_DIR', config.data_dir, file),
    ...(config.trusted_urls ?? []).map((value) => ({ name: 'trusted_urls', value, from: file })),
  ];
  return shown.filter((each) => each !== undefined);
}

function first(
  name: SettingName,
  given: string | undefined,
  variable: string,
  stored: string | undefined,
  file: string,
): ShownSetting | undefined {
  const value = given || stored;
  if (!value) return undefined;
  const shown = name === 'admin_token' ? shortened(value) : value;
  return { name, value: shown, from: given ? variable : file };
}

/** The id of a key is no secret; of anything else nothing is shown. */
function shortened(secret: string): string {
  return /^(tms_[0-9A-Za-z]{1,16})_/.exec(secret)?.[1]?.concat('_…') ?? '…';
}
