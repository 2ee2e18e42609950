import { checksumOf, contentToPush, textOf } from '../../service/item-text.ts';
import { type Item, pushItem, readItem, readItemIfAny } from '../../service/items.ts';
import { Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import { type Decision, readDecision, saveDecision } from '../decisions/decision.ts';
import { type TaskEdit, withEditedTask, withNewTask } from './edit-line.ts';
import type { Task } from './task-groups.ts';

const decoder = new TextDecoder();
/** How often somebody else may be faster before a person is asked to try again. */
const maxAttempts = 5;
const taken = new Problem('conflict', 'Somebody has changed this task since it was shown. Look at it again.');

/**
 * Edits a task in the text that it stands in, unless somebody has changed what `edit` changes since it was `shown`.
 * @throws Problem, with code `conflict` if somebody has.
 */
export function saveTask(shown: Task, edit: TaskEdit): Promise<void> {
  return untilStored(async () => {
    const { row_key, decision_id } = shown.source;
    // In this order: if the text is still the one that was read when it is stored, the task was read of that text.
    const [item, decision] =
      decision_id === undefined
        ? [await readItem(row_key), undefined]
        : [undefined, await readDecision(decision_id)];
    const { taskJson } = await rpc.content.getTask({ taskId: shown.task_id });
    const task: Task = JSON.parse(decoder.decode(taskJson));
    if (task.source.row_key !== row_key || task.source.decision_id !== decision_id) throw taken;
    for (const name of Object.keys(edit) as (keyof TaskEdit)[]) if (task[name] !== shown[name]) throw taken;
    if (item !== undefined) await storeContent(item, withEditedTask(item.content, task, edit));
    else if (decision !== undefined) await storeBody(decision, withEditedTask(decision.body, task, edit));
  });
}

/** Adds a task at the end of a log; makes the log where there is none. `tier` is that of a new log. */
export function addTask(rowKey: string, line: string, tier: Item['tier']): Promise<void> {
  return untilStored(async () => {
    const item = await readItemIfAny(rowKey);
    if (item !== undefined) return storeContent(item, withNewTask(item.content, line));
    const content = contentToPush(`# Tasks\n\n${line}\n`);
    await pushItem({ ...content, row_key: rowKey, tier, base_checksum: null });
  });
}

/** Stores another text of an item, whose front matter stays as it is, byte for byte. */
async function storeContent(item: Item, content: string): Promise<void> {
  const file = textOf(item);
  if (!file.endsWith(item.content))
    throw new Problem('internal', 'The note cannot be put together. Edit its text.');
  const { row_key, frontmatter, frontmatter_text, tier } = item;
  await pushItem({
    row_key,
    content,
    frontmatter,
    ...(frontmatter_text !== undefined && { frontmatter_text }),
    tier,
    checksum: checksumOf(file.slice(0, file.length - item.content.length) + content),
    base_checksum: item.checksum,
  });
}

async function storeBody(decision: Decision, body: string): Promise<void> {
  await saveDecision(decision, { ...decision, body });
}

/** Repeats what met the edit of somebody else. */
async function untilStored(store: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (thrown) {
      const isLast = attempt === maxAttempts || thrown === taken;
      if (isLast || problemOf(thrown).code !== 'conflict') throw thrown;
    }
  }
}
