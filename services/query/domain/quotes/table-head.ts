import type { Findings } from '../views/search-view.ts';
import { passageBlocks } from './passage-blocks.ts';
import type { ShownPassage } from './showing.ts';

/** Passages of a table that is longer than one, in which its header is looked for. */
const maxPassagesBefore = 20;

/** Puts the header of a table above rows of it whose passage begins below that. */
export function withTableHead(shown: ShownPassage, { passageBeside }: Findings): ShownPassage {
  const { hit, thought } = shown;
  if (!isHeadless(thought.text)) return shown;
  for (let back = 1; back <= maxPassagesBefore; back += 1) {
    const text = passageBeside(hit, hit.passage.ordinal - back)?.text ?? '';
    const last = passageBlocks(text).at(-1);
    if (last?.kind !== 'table') break;
    const head = text.slice(last.head.start, last.head.end).trimEnd();
    if (head !== '') {
      const [names, delimiter] = head.split('\n').slice(-2);
      return { hit, thought: { ...thought, text: `${names}\n${delimiter}\n${thought.text}` } };
    }
    if (last.start > 0) break;
  }
  return shown;
}

function isHeadless(text: string): boolean {
  const [first] = passageBlocks(text);
  return first?.kind === 'table' && first.head.start === first.head.end;
}
