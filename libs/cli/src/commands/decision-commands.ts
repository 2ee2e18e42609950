import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import type { DecisionAccess } from '../decision-access.ts';
import { addDecisionCreate } from './decision-create.ts';
import { addDecisionEdit } from './decision-edit.ts';
import { addDecisionHistory } from './decision-history.ts';
import { addDecisionList } from './decision-list.ts';
import { addDecisionRemove } from './decision-remove.ts';
import { addDecisionVisibility } from './decision-visibility.ts';

/** Adds the group `decision`, the same for administrators and members but for whose decisions it is about. */
export function addDecisionCommands(parent: Command, host: CommandHost, access: DecisionAccess): void {
  const group = parent.command('decision').description('decisions');
  addDecisionCreate(group, host, access);
  addDecisionEdit(group, host, access);
  addDecisionVisibility(group, host, access);
  addDecisionRemove(group, host, access);
  addDecisionList(group, host, access);
  addDecisionHistory(group, host, access);
}
