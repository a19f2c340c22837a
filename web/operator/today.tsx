import { wordsOf } from '#contract/operator/act.ts';
import { type ActName, actNamed, acts } from '#contract/operator/acts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card } from '#web/ui/sections.tsx';
import { mayChange, mayDo, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Acts, Shown, useLook } from './parts.tsx';
import { labelOf, momentOf, sentenceOf, words } from './words.ts';

export function Today(props: PartProps) {
  const look = useLook('status');
  return (
    <Shown look={look}>
      {({ data: findings }) => {
        return (
          <div className={styles.stack}>
            {!findings.some(({ isBad }) => isBad) && <Notice kind="success">{words.fine}</Notice>}
            {findings.map(({ check, isBad, since, says, act }) => (
              <Card
                key={`${check} ${says}`}
                title={labelOf(check)}
                actions={<Pill tone={isBad ? 'bad' : 'neutral'}>{isBad ? words.bad : words.toKnow}</Pill>}
              >
                <div className={styles.stack}>
                  <div>
                    <p>{sentenceOf(says)}</p>
                    {since && <p className={styles.hint}>{words.since({ at: momentOf(since) })}</p>}
                  </div>
                  {act && <Help {...props} command={act} onDone={() => void look.refetch()} />}
                </div>
              </Card>
            ))}
          </div>
        );
      }}
    </Shown>
  );
}

const partOf: Partial<Record<ActName, string>> = {
  'keys list': 'keys',
  'applications list': 'applications',
  requests: 'requests',
  jobs: 'jobs',
};
/** `webhooks resume https://…` is the act, and the value of its first word. */
function actIn(command: string) {
  const name = (Object.keys(acts) as ActName[]).find((one) => `${command} `.startsWith(`${one} `));
  const value = name && command.slice(name.length + 1);
  const [word] = name ? Object.keys(wordsOf(actNamed(name))) : [];
  const subject = word && value && !value.startsWith('<') ? { [word]: value } : {};
  return { name, subject };
}

type HelpProps = PartProps & { command: string; onDone: () => void };
/** The button of what helps, or the command if it is for the machine or another level. */
function Help({ level, ways, command, onDone }: HelpProps) {
  const { name, subject } = actIn(command);
  const part = name && partOf[name];
  if (part && mayDo(level, name))
    return (
      <div className={styles.acts}>
        <Button size="small" href={`#${part}`}>
          {labelOf(part)}
        </Button>
      </div>
    );
  if (name && mayChange(level, name))
    return (
      <Acts
        names={[name]}
        ways={ways}
        subject={subject}
        about={command.slice(name.length + 1)}
        onDone={onDone}
      />
    );
  return (
    <p className={styles.hint}>
      {words.helps}: <code>{command}</code>
    </p>
  );
}
