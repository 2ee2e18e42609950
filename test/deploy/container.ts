import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** What scripts/build-image.ts made. */
export interface Image {
  /** The folder with its file system. */
  root: string;
  /** As Docker shows it. */
  config: {
    Env: string[];
    Cmd: string[];
    User: string;
    WorkingDir: string;
    Healthcheck: { Test: string[] };
  };
}

/** Reads the image that is in a folder. */
export function readImage(folder: string): Image {
  return {
    root: join(folder, 'root'),
    config: JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')).config,
  };
}

export interface ContainerOptions {
  command?: readonly string[] | undefined;
  environment?: Readonly<Record<string, string>>;
  /** Folders by where they are mounted. */
  volumes?: readonly { source: string; target: string; readOnly?: boolean }[];
  /** The file that is its `/etc/hosts`. */
  hosts: string;
}

/** A program that was started. */
export interface Container {
  process: ChildProcess;
  output(): string;
  /** Sends a signal to the program, which is process 1 as in a container. */
  signal(signal: NodeJS.Signals): void;
  /** Waits until it ends; returns its exit code. */
  ended(): Promise<number | null>;
}

/**
 * Runs a command on an image as an engine would with `--read-only --cap-drop ALL --security-opt no-new-privileges`: with
 * the image's user, environment and folder, no capabilities, a file system that cannot be written, and the network of this
 * process.
 */
export function runContainer({ root, config }: Image, options: ContainerOptions): Container {
  const [user, group] = config.User.split(':').map(Number);
  const mounts = (options.volumes ?? []).flatMap(({ source, target, readOnly }) => [
    readOnly ? '--ro-bind' : '--bind',
    source,
    target,
  ]);
  const image = config.Env.map((variable) => /^([^=]+)=(.*)$/s.exec(variable)?.slice(1) ?? []);
  const environment = [...image, ...Object.entries(options.environment ?? {})].flatMap(
    ([name = '', value = '']) => ['--setenv', name, value],
  );
  const child = spawn(
    'bwrap',
    [
      ...['--unshare-all', '--share-net', '--die-with-parent', '--as-pid-1'],
      ...['--info-fd', '3', '--cap-drop', 'ALL'],
      ...['--uid', `${user}`, '--gid', `${group}`],
      ...[
        '--ro-bind',
        root,
        '/',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--ro-bind',
        options.hosts,
        '/etc/hosts',
      ],
      ...mounts,
      ...['--chdir', config.WorkingDir, '--clearenv', ...environment],
      '--',
      ...(options.command ?? config.Cmd),
    ],
    // Bubblewrap itself is that user, so that owners and modes of files count as in a container.
    { uid: user, gid: group, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  let [output, information] = ['', ''];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  (child.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
    information += text;
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    output: () => output,
    signal: (signal) => void process.kill(JSON.parse(information)['child-pid'], signal),
    ended: () => closed,
  };
}

/** Makes a folder for a volume, with the owner that the folder of the image at this path has. */
export function makeVolume(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o770 });
  chownSync(folder, 1000, 0);
}
