import { useCallback, useRef } from 'preact/hooks';
import { Markdown } from '../../components/markdown.tsx';
import { t } from '../../language/language.ts';
import styles from './ask-page.module.css';

const citation = /(\[\d{1,3}\])/;
/** What words before a citation belong to it within. */
const blocks = 'p, li, td, th, h3, h4, h5, h6, blockquote';

/** Shows an answer as it comes. Each citation is a button that shows what is cited. */
export function AnswerText({
  text,
  sourceCount,
  onCite,
}: {
  text: string;
  /** Citations beyond it lead nowhere, and stay text. */
  sourceCount: number;
  /** Called with the number of the source, the words that cite it and the button that was pressed. */
  onCite: (number: number, words: string, from: HTMLElement) => void;
}) {
  const cite = useRef(onCite);
  cite.current = onCite;
  const link = useCallback(
    (element: HTMLElement) =>
      linkCitations(element, sourceCount, (button) =>
        cite.current(Number(button.dataset.source), wordsBefore(button), button),
      ),
    [sourceCount],
  );
  return (
    <div class={styles.answerText}>
      <Markdown text={text} onRendered={link} />
    </div>
  );
}

/** Makes a button of each citation in the text of an element. */
function linkCitations(element: HTMLElement, sourceCount: number, cite: (button: HTMLElement) => void): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode() !== null) nodes.push(walker.currentNode as Text);
  for (const node of nodes) {
    if (!citation.test(node.data) || node.parentElement?.closest('a, code')) continue;
    const parts = node.data.split(citation).map((part) => {
      const number = citation.test(part) ? Number(part.slice(1, -1)) : 0;
      return number >= 1 && number <= sourceCount ? citationButton(number, cite) : part;
    });
    node.replaceWith(...parts);
  }
}

function citationButton(number: number, cite: (button: HTMLElement) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = styles.citation ?? '';
  button.dataset.source = `${number}`;
  button.setAttribute('aria-label', t('Source {number}', { number }));
  button.textContent = `${number}`;
  button.addEventListener('click', () => cite(button));
  return button;
}

/** The words of an answer between a citation and the one before it, or the beginning of its paragraph. */
function wordsBefore(citation: HTMLElement): string {
  const block = citation.closest(blocks);
  if (block === null) return '';
  const range = document.createRange();
  range.setStart(block, 0);
  for (const other of block.querySelectorAll('[data-source]')) {
    if (other === citation) break;
    range.setStartAfter(other);
  }
  range.setEndBefore(citation);
  return range.toString();
}

/** The sentences of a text that are complete, for screen readers: half a word helps nobody. */
export function completeSentences(text: string): string {
  const plain = text.replace(/(?<!\s)\s*\[\d{1,3}\]/g, '').replace(/\*\*|`/g, '');
  const end = Math.max(plain.lastIndexOf('. '), plain.lastIndexOf('? '), plain.lastIndexOf('\n'));
  return plain.slice(0, end + 1);
}
