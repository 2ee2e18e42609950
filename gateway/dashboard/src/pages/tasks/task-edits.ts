import { t } from '../../language/language.ts';
import { storeContent, untilStored } from '../../service/edit-content.ts';
import { contentToPush } from '../../service/item-text.ts';
import { type Item, pushItem, readItem, readItemIfAny } from '../../service/items.ts';
import { Problem } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import { type Decision, readDecision, saveDecision } from '../decisions/decision.ts';
import { type TaskEdit, withEditedTask, withNewTask } from './edit-line.ts';
import type { Task } from './task-groups.ts';

const decoder = new TextDecoder();
const taken = new Problem(
  'conflict',
  t('Somebody has changed this task since it was shown. Look at it again.'),
);
const isTaken = (thrown: unknown) => thrown === taken;

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
  }, isTaken);
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

async function storeBody(decision: Decision, body: string): Promise<void> {
  await saveDecision(decision, { ...decision, body });
}
