import type { LevelCondition } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { numberText, t } from '../../language/language.ts';
import { axisName } from './axes.ts';
import styles from './maturity.module.css';

/** What to do for a measure of the rubric (docs/analytics.md). */
const advice: Readonly<Record<string, string>> = {
  sessions: t('Work with an agent, and report it.'),
  tasks: t('Give an agent a task, and report it.'),
  tool_diversity: t(
    'Let agents search, edit, run commands and use tools of your team, instead of only answering.',
  ),
  context_hygiene: t(
    'Begin a new session for each task and keep instructions short: more input then comes from the cache, and tasks take fewer tokens.',
  ),
  delegation_ratio: t('Give agents whole tasks that end with a change, not only questions.'),
  verification: t('Let agents run tests, a linter and the build after each change, and mend what fails.'),
  subagent_usage: t('Let agents hand parts of larger tasks to agents of their own.'),
  learning: t(
    'Write down what went wrong, in instructions or notes, so that fewer calls fail the next time.',
  ),
};

/** What raises the next level, in words; nothing at the highest one. */
export function NextLevel({ conditions }: { conditions: readonly LevelCondition[] }) {
  const next = conditions.find(({ met }) => !met)?.level;
  if (next === undefined) return null;
  const missing = conditions.filter(({ level, met }) => level === next && !met);
  return (
    <>
      <h3 class={styles.heading}>{t('What raises you to {level}', { level: next })}</h3>
      <ul>
        {missing.map(({ measure, atLeast, value }) => (
          <li key={measure}>
            {advice[measure] ?? measure}{' '}
            {t('{measure} is {value} and must be at least {atLeast}.', {
              measure: axisName(measure),
              value: value === undefined ? t('not measured') : numberText(value),
              atLeast,
            })}
          </li>
        ))}
      </ul>
    </>
  );
}
