import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Card } from '../../components/card.tsx';
import { Command } from '../../components/copy.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../language/language.ts';
import { isTeamAdministrator, mayMakeKeys, mayWrite, session } from '../../service/session.ts';
import styles from './start.module.css';

const systems = [
  { name: 'unix', label: 'macOS and Linux' },
  { name: 'windows', label: 'Windows' },
] as const;

/** What a team does first, while it has no item: with its own address and name in every command. */
export function FirstSteps() {
  const [system, setSystem] = useState<(typeof systems)[number]['name']>(
    navigator.userAgent.includes('Windows') ? 'windows' : 'unix',
  );
  const target = `--url ${location.origin} --team ${session.value?.team}`;
  const commands = {
    unix: {
      install: 'npm install --global ./teammemory-cli-*.tgz',
      folder: `tms init ~/notes ${target}\ntms sync ~/notes`,
    },
    windows: {
      install: 'npm install --global (Resolve-Path teammemory-cli-*.tgz)',
      folder: `tms init "$HOME\\notes" ${target}\ntms sync "$HOME\\notes"`,
    },
  }[system];
  return (
    <Card
      title={t('First steps')}
      actions={<Tabs label={t('Your system')} tabs={systems} selected={system} onSelect={setSystem} />}
    >
      <ol class={styles.steps}>
        {mayWrite() && (
          <li class={styles.step}>
            <h3>{t('Get a folder of notes in')}</h3>
            <p>
              {t(
                '<link>Drop the files on the page Memory</link>, or keep a folder in step with the command line. It needs Node.js 20 or newer, and a file that whoever runs this service gives you:',
                { link: (words) => <Link href="/memory">{words}</Link> },
              )}
            </p>
            <Command text={commands.install} />
            <p>
              {t(
                'The first of these commands asks for your key; put your own folder in the place of “notes”.',
              )}
            </p>
            <Command text={commands.folder} />
          </li>
        )}
        {mayMakeKeys() && (
          <li class={styles.step}>
            <h3>{t('Connect an agent')}</h3>
            <p>
              {t(
                '<link>Make a key for it on the page Connect</link>, which shows what to paste. It searches, reads and asks what the team knows.',
                { link: (words) => <Link href="/connect">{words}</Link> },
              )}
            </p>
          </li>
        )}
        {isTeamAdministrator() && (
          <li class={styles.step}>
            <h3>{t('Invite somebody')}</h3>
            <p>
              {t(
                '<link>Make a link on the page Team</link>. Whoever opens it chooses a name and gets a key.',
                { link: (words) => <Link href="/team?view=invitations">{words}</Link> },
              )}
            </p>
          </li>
        )}
        <li class={styles.step}>
          <h3>{t('Ask')}</h3>
          <p>{t('Type a question above. The answer says where it comes from.')}</p>
        </li>
      </ol>
    </Card>
  );
}
