import { Card } from '#web/ui/sections.tsx';
import { Lines } from './act-dialog.tsx';
import { changesOf, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Acts, Shown, useLook } from './parts.tsx';
import { words } from './words.ts';

export function Webhooks({ level, ways }: PartProps) {
  const look = useLook('webhooks list');
  const names = changesOf(level, 'webhook');
  const again = () => void look.refetch();
  return (
    <Shown look={look}>
      {({ data, lines }) => (
        <div className={styles.stack}>
          {data.length === 0 && <p>{words.noWebhooks}</p>}
          {data.map(({ url, isPaused, switchedOffTime }, at) => (
            <Card key={url} title={url}>
              <Lines lines={lines.slice(at, at + 1).map((line) => line.replace(`${url}  `, ''))} />
              <Acts
                names={names.filter(
                  (name) => !name.endsWith(isPaused || switchedOffTime ? 'pause' : 'resume'),
                )}
                ways={ways}
                subject={{ webhook: url }}
                about={url}
                onDone={again}
              />
            </Card>
          ))}
          <Acts names={changesOf(level, undefined, 'webhooks')} ways={ways} onDone={again} />
        </div>
      )}
    </Shown>
  );
}
