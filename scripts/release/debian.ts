import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../packages/run.ts';

const name = 'team-memory-service';
/** Debian's names of what Node calls `process.arch`. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Starts as a user without rights; `team-memory-service` unpacks itself into its folder for caches. */
const unit = `[Unit]
Description=Team Memory Service
After=network.target

[Service]
ExecStart=/usr/bin/${name} --no-demo
DynamicUser=yes
StateDirectory=${name}
CacheDirectory=${name}
Environment=DATA_DIR=/var/lib/${name} XDG_CACHE_HOME=/var/cache/${name}
EnvironmentFile=-/etc/default/${name}
Restart=on-failure
TimeoutStopSec=40

[Install]
WantedBy=multi-user.target
`;

/** A system that systemd did not start, such as a container, has no services to tell of. */
const withSystemd = (commands: string) => `#!/bin/sh
set -e
[ -d /run/systemd/system ] || exit 0
${commands}
`;
const afterInstallation = withSystemd(`systemctl daemon-reload || true
systemctl try-restart ${name}.service || true`);
const beforeRemoval = withSystemd(`[ "$1" = remove ] || exit 0
systemctl --quiet disable --now ${name}.service || true`);

/**
 * Makes the Debian package of an executable for Linux with dpkg-deb: the program, a link to it named `tms`, and a unit of
 * systemd that starts when it is enabled, again after an upgrade, and ends before a removal. Throws Error if dpkg-deb fails.
 */
export async function makeDebianPackage(
  target: string,
  {
    executable,
    arch,
    licence,
    version,
    maintainer,
  }: { executable: string; arch: string; licence: string; version: string; maintainer: string },
): Promise<void> {
  const architecture = architectures[arch];
  if (architecture === undefined) throw new Error(`Debian has no name here for ${arch}`);
  const folder = mkdtempSync(join(tmpdir(), 'team-memory-debian-'));
  const control = `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(statSync(executable).size / 1024)}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libatomic1
Section: net
Priority: optional
Description: shared memory for teams of people and agents
 Clients push Markdown notes, pull what others changed, and ask questions
 that are answered with citations.
`;
  const files: Record<string, string> = {
    'DEBIAN/control': control,
    [`usr/lib/systemd/system/${name}.service`]: unit,
    [`usr/share/doc/${name}/copyright`]: licence,
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text, { mode: 0o644 });
    }
    const program = join(folder, 'usr', 'bin', name);
    mkdirSync(dirname(program));
    cpSync(executable, program);
    symlinkSync(name, join(folder, 'usr', 'bin', 'tms'));
    for (const [script, text] of Object.entries({ postinst: afterInstallation, prerm: beforeRemoval }))
      writeFileSync(join(folder, 'DEBIAN', script), text, { mode: 0o755 });
    await run('chmod', ['-R', 'u=rwX,go=rX', folder], folder);
    chmodSync(program, 0o755);
    const file = join(target, `${name}_${version}_${architecture}.deb`);
    // The variable gives all files the same time, the one that npm gives. Debian 11 knows no zstd.
    const options = ['SOURCE_DATE_EPOCH=499162500', 'dpkg-deb', '-Zgzip', '--root-owner-group', '--build'];
    await run('env', [...options, folder, file], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
