import type { FileDigest } from './digests.ts';

/** How the files of a release were made. */
export interface Build {
  version: string;
  /** Of the source. */
  commit: string;
  /** The address of the source, as git takes it. */
  repository?: string | undefined;
  /** A URI that names who built. */
  builder: string;
  command: string;
  /** Name and address of whoever looks after the Debian package. */
  maintainer: string;
  /** The version of Node that built, and is inside the executables. */
  node: string;
}

/**
 * States what the files were made of, as in-toto 1 with the predicate of SLSA provenance 1, unsigned. It has no times: the
 * same source gives the same text. See https://slsa.dev/spec/v1.0/provenance.
 */
export function provenance(build: Build, files: readonly FileDigest[]): string {
  const source = {
    uri: build.repository && `git+${build.repository}@${build.commit}`,
    digest: { gitCommit: build.commit },
  };
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:team-memory-service:npm-run-release:1',
        externalParameters: { version: build.version, command: build.command, source },
        resolvedDependencies: [source, { uri: `pkg:generic/node@${build.node}` }],
      },
      runDetails: { builder: { id: build.builder } },
    },
  };
  return `${JSON.stringify(statement)}\n`;
}
