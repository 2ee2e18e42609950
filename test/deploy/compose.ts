import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../support/deployment/deploy-tools.ts';
import { type Container, type Image, makeVolume, runContainer } from './container.ts';

/** What is used here of a service of a Compose file, as its loader shows it. */
export interface ComposeService {
  image: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string | null>;
  healthcheck?: { disable?: boolean; test?: string[] };
  depends_on?: Record<string, { condition: string }>;
  volumes?: { source?: string; target: string; read_only?: boolean }[];
}

/** Loads docker-compose.yml as `docker compose` does. */
export function loadCompose(): Record<string, ComposeService> {
  const { code, output, errors } = runTool('compose', ['-format', 'json', 'docker-compose.yml']);
  if (code !== 0) throw new Error(errors);
  return JSON.parse(output).services;
}

/** The services that `docker compose up` starts, each after those that it depends on. */
export function startOrder(services: Record<string, ComposeService>, name: string): string[] {
  const needed = Object.keys(services[name]?.depends_on ?? {});
  return [...new Set([...needed.flatMap((one) => startOrder(services, one)), name])];
}

/** The services of docker-compose.yml on one network, with volumes in a folder: each service has its own address, which its name stands for. */
export class ComposeNetwork {
  readonly services: Record<string, ComposeService>;
  readonly #image: Image;
  readonly #folder: string;
  readonly #hosts: string;

  constructor(image: Image, folder: string) {
    this.services = loadCompose();
    this.#image = image;
    this.#folder = folder;
    this.#hosts = join(folder, 'hosts');
    const names = Object.keys(this.services).map((name) => `${this.address(name)} ${name}\n`);
    writeFileSync(this.#hosts, `127.0.0.1 localhost\n${names.join('')}`);
  }

  /** The address of a service. */
  address(name: string): string {
    return `127.0.1.${Object.keys(this.services).indexOf(name) + 1}`;
  }

  /** The folder of a volume. */
  volume(name: string): string {
    const folder = join(this.#folder, name);
    makeVolume(folder);
    return folder;
  }

  /** Starts a service from the image as the file writes it; `arguments_` are those of `docker compose run`. */
  start(name: string, arguments_?: readonly string[]): Container {
    const service = this.services[name];
    if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
    return this.#run(name, [...(service.entrypoint ?? []), ...(arguments_ ?? service.command ?? [])]);
  }

  /** Runs the health check of a service beside it; its exit code is 0 if the service is well. */
  checkHealth(name: string): Promise<number | null> {
    const [kind, ...command] = this.services[name]?.healthcheck?.test ?? this.#image.config.Healthcheck.Test;
    if (kind !== 'CMD') throw new Error(`the health check of ${name} is no command`);
    return this.#run(name, command).ended();
  }

  #run(name: string, command: readonly string[]): Container {
    const { environment = {}, volumes = [] } = this.services[name] ?? {};
    // Null is what neither the shell nor .env sets.
    const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== null);
    return runContainer(this.#image, {
      command,
      // Containers have an interface each; here each has an address, so that all can use the same ports.
      environment: { ...Object.fromEntries(set), HOST: this.address(name) },
      volumes: volumes.map(({ source = `${name}-own`, target, read_only: readOnly = false }) => ({
        source: this.volume(source),
        target,
        readOnly,
      })),
      hosts: this.#hosts,
    });
  }
}
