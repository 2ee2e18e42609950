import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWithTools, runTool } from './support/deployment/deploy-tools.ts';
import { partFolders, programFolders, settingOf, settingsOf } from './support/deployment/part-settings.ts';
import { runToEnd } from './support/service/run-program.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const parts = Object.keys(partFolders);
const settingsOfPart = (part: string) => settingsOf(partFolders[part] ?? '');

describe('the image', () => {
  const dockerfile = read('deploy/Dockerfile');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile.
  const nodeImage = '${NODE_IMAGE}';

  test('runs on the Node that package.json pins, in one build of its image', () => {
    const [, version, digest] = /^ARG NODE_IMAGE=node:(.+)-slim@sha256:(.+)$/m.exec(dockerfile) ?? [];
    expect(version).toBe(JSON.parse(read('package.json')).dependencies.node);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(dockerfile.match(/^FROM .+$/gm)).toEqual([
      `FROM ${nodeImage} AS build`,
      'FROM scratch AS package',
      `FROM ${nodeImage}`,
    ]);
  });

  test('has the package and two programs, and nothing that npm installs', () => {
    const [, image = ''] = dockerfile.split(`\nFROM ${nodeImage}\n`);
    expect(image.match(/^COPY .+$/gm)).toEqual([
      'COPY --from=package / ./',
      'COPY deploy/health-check.ts deploy/make-keys.ts ./deploy/',
    ]);
    expect(image).not.toContain('npm ');
  });

  test('starts every program by its name in 0.1.0, too, which a chart of that version gives to it', () => {
    for (const folder of ['services/all', 'libs/cli/src', 'gateway', 'services/$part']) {
      expect(dockerfile).toMatch(
        new RegExp(`^ +(?:mkdir .+ && )?ln -s .+ "?${RegExp.escape(folder)}/main\\.ts`, 'm'),
      );
    }
    const [, named = ''] = /for part in (analytics .+); do/.exec(dockerfile) ?? [];
    expect([...named.split(' '), 'gateway'].toSorted()).toEqual(parts);
  });

  test('has a bill of materials with the packages of its programs and dashboard, and none of the tools', async () => {
    const { code, stdout } = await runToEnd(process.execPath, ['deploy/make-sbom.ts'], {});
    const bill = JSON.parse(stdout);
    const names: string[] = bill.components.map(({ group, name }: { group?: string; name: string }) =>
      group === undefined ? name : `${group}/${name}`,
    );
    const folders = [...programFolders(), 'gateway/dashboard', 'libs/cli', 'libs/mongo', 'libs/sqlite'];
    const direct = folders.flatMap((folder) =>
      Object.keys(JSON.parse(read(`${folder}/package.json`)).dependencies ?? {}),
    );
    expect(code).toBe(0);
    expect(names).toEqual(expect.arrayContaining(direct.filter((name) => !name.startsWith('@teammemory/'))));
    expect(names).toEqual(expect.arrayContaining(['node', 'bson', 'mongodb', 'zod']));
    for (const tool of ['vite', 'vitest', 'typescript', 'esbuild', '@biomejs/biome', 'nx'])
      expect(names).not.toContain(tool);
    for (const { purl, version, hashes } of bill.components.slice(1)) {
      expect(purl).toMatch(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@\d/);
      expect(purl.endsWith(`@${version}`)).toBe(true);
      expect(hashes[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) });
    }
    const known = new Set(bill.components.map((component: { purl: string }) => component.purl));
    for (const { dependsOn } of bill.dependencies)
      expect(dependsOn.filter((reference: string) => !known.has(reference))).toEqual([]);
  });

  test('sets only settings that a program has', () => {
    const [, variables = ''] = /^ENV ((?:\\\n|.)+)$/m.exec(dockerfile) ?? [];
    const names = [...variables.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
    const known = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', ...programFolders().flatMap(settingsOf)]);
    expect(names).toContain('DATA_DIR');
    expect(names.filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  /** Fixed by the image, or of no use where all containers are on one machine. */
  const left =
    /^(HOST|PORT|RPC_PORT|METRICS_PORT|SHUTDOWN_DELAY_SECONDS|ONLY_GATEWAY|TLS_(CERTIFICATE|KEY|AUTHORITY))$/;

  test.for(parts)('gives %s every setting that it has, and no other', (part) => {
    const [, service = ''] = read('docker-compose.yml').split(`\n  ${part}:\n`);
    const [own = ''] = service.split(/\n {2}\S/);
    const variables = [...own.matchAll(/^ {6}([A-Z][A-Z0-9_]*):/gm)].map(([, name = '']) => settingOf(name));
    expect(variables.toSorted()).toEqual(
      settingsOfPart(part)
        .filter((name) => !left.test(name))
        .toSorted(),
    );
  });
});

describe('docker-compose.yml and the chart', () => {
  const compose = read('docker-compose.yml');
  const sectionOf = (service: string) => compose.split(`\n  ${service}:\n`)[1]?.split(/\n {2}\S/)[0] ?? '';
  const volumeOf: Record<string, string> = {
    SIGNING_KEY: 'signing-key',
    VERIFICATION_KEYS: 'verification-keys',
    TMS_ADMIN_TOKEN: 'admin-token',
    MONGODB_URL: 'mongodb-url',
    REDIS_URL: 'redis-url',
  };
  const mountsOf = (service: string) =>
    [...(/^ {4}volumes: \[(.+)\]$/m.exec(sectionOf(service))?.[1] ?? '').matchAll(/\*([a-z-]+)/g)].map(
      ([, name]) => name,
    );

  test.for(parts)('give %s the files of the secrets that it needs, and no other', (part) => {
    const needed = Object.keys(volumeOf).filter((setting) => settingsOfPart(part).includes(setting));
    expect(mountsOf(part)).toEqual(needed.map((setting) => volumeOf[setting]));
    expect(sectionOf(part)).not.toMatch(/keys:\/|\/data|-secrets|password/);
    const { secrets } = JSON.parse(read('deploy/helm/parts.json'))[part];
    expect(secrets.filter((setting: string) => setting in volumeOf).toSorted()).toEqual(needed.toSorted());
  });

  test('give query a volume for its indexes, since it can write nowhere else', () => {
    expect(sectionOf('query')).toMatch(/^ {4}volumes: \[.+, \/indexes\]$/m);
    expect(sectionOf('query')).toContain('INDEX_DIR: /indexes/teams');
    const template = read('deploy/helm/templates/deployment.yaml');
    expect(template).toContain('{ name: search-indexes, mountPath: /search-indexes }');
    expect(read('deploy/helm/values.yaml')).toContain('INDEX_DIR: /search-indexes/teams');
  });

  test('let only parts that sign calls have the signing key', () => {
    const signing = parts.filter((part) => mountsOf(part).includes('signing-key'));
    expect(signing.toSorted()).toEqual(['analytics', 'auth', 'content', 'gateway', 'query']);
    expect(mountsOf('tms')).toEqual(['admin-token']);
    expect(sectionOf('mongodb')).toContain('- mongodb-secrets:/keys/mongodb:ro');
    expect(sectionOf('redis')).toContain('[redis-secrets:/keys/redis:ro]');
  });

  test('mount every secret below a folder that the image gives to the user of its parts', () => {
    const mounted = [...compose.matchAll(/:(\/keys\/[\w-]+)/g)].map(([, path = '']) => path);
    const [made = ''] = /mkdir -p (?:.|\\\n)+?&&/.exec(read('deploy/Dockerfile')) ?? [];
    expect(made.match(/\/keys\/\S+/g)?.toSorted()).toEqual([...new Set(mounted)].toSorted());
  });

  test('publish nothing beyond this machine unless they are told to', () => {
    const ports = [...compose.matchAll(/^ {6}- "(.+:\d+)"$/gm)].map(([, port = '']) => port);
    expect(ports).toHaveLength(2);
    for (const port of ports) expect(port).toMatch(/^(127\.0\.0\.1|\$\{PUBLISH_ADDRESS:-127\.0\.0\.1\}):/);
    const service = read('deploy/helm/templates/service.yaml');
    expect(service).not.toMatch(/LoadBalancer|NodePort|externalIPs/);
  });
});

describeWithTools('the image, linted', ['hadolint'], () => {
  test('has no fault that the linter of Dockerfiles finds', () => {
    expect(runTool('hadolint', ['deploy/Dockerfile'])).toMatchObject({ code: 0, output: '' });
  });
});

describeWithTools('docker-compose.yml, loaded', ['compose'], () => {
  const load = () => {
    const { code, output, errors } = runTool('compose', ['-format', 'json', 'docker-compose.yml']);
    if (code !== 0) throw new Error(errors);
    return JSON.parse(output).services;
  };

  test('publishes the API and the RPCs for this machine, and nothing else', () => {
    const ports = Object.entries<{ ports?: object[] }>(load()).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => ({ name, ...port })),
    );
    expect(ports).toEqual([
      expect.objectContaining({ name: 'gateway', published: '8080', target: 8080, host_ip: '127.0.0.1' }),
      expect.objectContaining({ name: 'gateway', published: '7100', target: 7100, host_ip: '127.0.0.1' }),
    ]);
  });

  test('limits the memory of every container, and lets none gain privileges', () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(load())) {
      expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
    }
  });

  test('keeps the passwords of the stores out of every environment and command', () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(load())) {
      expect(JSON.stringify([service.environment ?? {}, service.command]), name).not.toMatch(
        /requirepass|mongodb:\/\/|redis:\/\/|PASSWORD/,
      );
    }
  });

  test('runs every part read-only, without capabilities, and as the command that the part is', () => {
    const services = load();
    for (const part of parts) {
      const hardened = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
      expect(services[part]).toMatchObject({
        ...hardened,
        command: ['team-memory-service', part],
      });
    }
  });
});
