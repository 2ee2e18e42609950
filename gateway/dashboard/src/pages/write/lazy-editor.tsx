import type { ComponentProps } from 'preact';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import type CodeEditor from './code-editor.tsx';

/** The editor of Markdown, loaded when the first text is written: it is larger than all pages together. */
export function LazyEditor(props: ComponentProps<typeof CodeEditor>) {
  const { value, problem, reload } = useRequest(() => import('./code-editor.tsx'), []);
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={8} label={t('Loading the editor')} />;
  return <value.default {...props} />;
}
