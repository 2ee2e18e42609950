import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileDigest } from './digests.ts';

const name = 'team-memory-service';
const description = 'Shared memory for teams of people and agents';
const identifier = 'TeamMemory.TeamMemoryService';

interface Release {
  version: string;
  /** The page of the repository, below which GitHub publishes the files. */
  page: string;
  /** Files of the release. */
  files: readonly FileDigest[];
}

/** Writes the recipes by which package managers install files of a release; those whose file is not there are left out. */
export function writeRecipes(target: string, release: Release): void {
  for (const [file, text] of Object.entries({ ...homebrew(release), ...winget(release) }))
    writeFileSync(join(target, file), text);
}

function published({ version, page, files }: Release, file: string) {
  const sha256 = files.find((one) => one.name === file)?.sha256;
  return sha256 === undefined
    ? undefined
    : { address: `${page}/releases/download/v${version}/${file}`, sha256 };
}

/** The formula installs the package for npm with Homebrew's own Node. */
function homebrew(release: Release): Record<string, string> {
  const found = published(release, `${name}-${release.version}.tgz`);
  if (found === undefined) return {};
  const text = `class TeamMemoryService < Formula
  desc "${description}"
  homepage "${release.page}"
  url "${found.address}"
  sha256 "${found.sha256}"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  service do
    run [opt_bin/"team-memory-service", "--data", var/"team-memory-service", "--no-demo"]
    keep_alive crashed: true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/team-memory-service --version")
  end
end
`;
  return { [`${name}.rb`]: text };
}

/** The manifest of winget, in the three files that its collection asks for. */
function winget(release: Release): Record<string, string> {
  const { version, page } = release;
  const installers = ['x64', 'arm64']
    .map((arch) => ({ arch, found: published(release, `${name}-${version}-win32-${arch}.exe`) }))
    .filter(({ found }) => found !== undefined)
    .map(
      ({ arch, found }) => `  - Architecture: ${arch}
    InstallerUrl: ${found?.address}
    InstallerSha256: ${found?.sha256.toUpperCase()}
`,
    );
  if (installers.length === 0) return {};
  const manifest = (type: string, text: string) => `PackageIdentifier: ${identifier}
PackageVersion: ${version}
${text}ManifestType: ${type}
ManifestVersion: 1.6.0
`;
  return {
    [`${identifier}.yaml`]: manifest('version', 'DefaultLocale: en-US\n'),
    [`${identifier}.installer.yaml`]: manifest(
      'installer',
      `InstallerType: portable\nCommands:\n  - ${name}\nInstallers:\n${installers.join('')}`,
    ),
    [`${identifier}.locale.en-US.yaml`]: manifest(
      'defaultLocale',
      `PackageLocale: en-US
Publisher: Team Memory Service
PackageName: Team Memory Service
PackageUrl: ${page}
License: Apache-2.0
ShortDescription: ${description}
`,
    ),
  };
}
