/** A file that somebody chose or dropped, with its path below what they chose: `folder/note.md`. */
export interface ChosenFile {
  path: string;
  file: File;
}

/** More are no folder of notes. */
export const maxChosenFiles = 5_000;

/** Returns the files of a file input, of which folders have a path. */
export function filesOfInput(files: FileList): ChosenFile[] {
  return [...files]
    .slice(0, maxChosenFiles)
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !isHidden(path));
}

/** Returns the files that were dropped, those in folders too. Hidden files and folders are left out, as in the sync. */
export async function filesOfDrop(data: DataTransfer): Promise<ChosenFile[]> {
  // The entries are there only until the event has been handled.
  const items = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const entries = items.flatMap(({ entry }) => entry ?? []);
  const found: ChosenFile[] = [];
  for (const { entry, file } of items) {
    if (entry === null && file !== null && !isHidden(file.name)) found.push({ path: file.name, file });
  }
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  if (found.length >= maxChosenFiles || isHidden(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A folder is read some entries at a time, until there are no more.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (entries.length === 0) return;
    for (const inside of entries) await collect(inside, found);
  }
}

function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}
