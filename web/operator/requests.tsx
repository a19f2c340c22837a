import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deskAnswer } from '#contract/operator/desk.ts';
import type { LookData } from '#contract/operator/looks.ts';
import { call } from '#web/lib/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Lines } from './act-dialog.tsx';
import { entryQuery, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Shown, useLook } from './parts.tsx';
import { ProofDialog, useAttempt } from './proof.tsx';
import { labelOf, momentOf, words } from './words.ts';

export type Request = LookData<'requests'>[number];
export const waitingOf = ({ act, asked_by: by, asked_at: at, due_at: due, input }: Request) =>
  words.askedBy({
    act: labelOf(act),
    by,
    at: momentOf(at),
    due: due && momentOf(due),
    reason: String(input['reason']),
  });

const titleOf = ({ act, person, input }: Request) =>
  [labelOf(act), person ?? input['name'] ?? input['application']].filter(Boolean).join(': ');

export function Requests({ ways }: PartProps) {
  const look = useLook('requests');
  const [done, setDone] = useState<readonly string[]>();
  return (
    <div className={styles.stack}>
      {done && (
        <Notice kind="success" announce>
          <Lines lines={done} />
        </Notice>
      )}
      <Shown look={look}>
        {({ data, lines }) => {
          if (data.length === 0) return <p>{lines[0]}</p>;
          return data.map((request) => (
            <Card key={request.id} title={titleOf(request)}>
              <p className={styles.hint}>{waitingOf(request)}</p>
              <RequestAnswer
                id={request.id}
                askedBy={request.asked_by_id}
                ways={ways}
                onDone={(told) => {
                  setDone(told);
                  void look.refetch();
                }}
              />
            </Card>
          ));
        }}
      </Shown>
    </div>
  );
}

type AnswerProps = Omit<PartProps, 'level'> & {
  id: number;
  askedBy: number;
  onDone: (lines: readonly string[]) => void;
};
export function RequestAnswer({ id, askedBy, ways, onDone }: AnswerProps) {
  const { data: entry } = useQuery(entryQuery);
  const [lastAnswer, setLastAnswer] = useState(true);
  const { failure, isToProve, attempt, giveUp } = useAttempt();
  const answer = (agree: boolean) => {
    setLastAnswer(agree);
    return attempt(async () => onDone((await call(deskAnswer, { id, agree })).lines));
  };
  if (entry?.id === askedBy) return <p className={styles.hint}>{words.askedByYou}</p>;
  return (
    <div className={styles.stack}>
      {failure && <Notice kind="danger">{failure}</Notice>}
      <div className={styles.acts}>
        <Button size="small" kind="primary" onClick={() => void answer(true)}>
          {words.agree}
        </Button>
        <Button size="small" onClick={() => void answer(false)}>
          {words.refuse}
        </Button>
      </div>
      {isToProve && <ProofDialog ways={ways} onProven={() => void answer(lastAnswer)} onClose={giveUp} />}
    </div>
  );
}
