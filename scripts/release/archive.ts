import { run } from '../packages/run.ts';

/**
 * Packs a folder, or a file, as `.tar.gz`: the same content gives the same bytes, whatever the times and the owner are.
 * Needs GNU tar. `rename` replaces the first part of the names inside.
 */
export async function pack(
  target: string,
  { folder, entry, rename = entry }: { folder: string; entry: string; rename?: string },
): Promise<void> {
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+w,go=rX'];
  const options = [...same, `--transform=s,^${entry},${rename},`, '--use-compress-program=gzip -n'];
  await run('tar', [...options, '--create', `--file=${target}`, `--directory=${folder}`, entry], folder);
}
