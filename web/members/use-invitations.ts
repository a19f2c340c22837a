import { useRef, useState } from 'react';
import { type Member, members } from '#contract/members/calls.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { check } from '#web/lib/form.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { type PastedPerson, peopleIn } from './pasted-people.ts';

export type Result =
  | 'ready'
  | 'sending'
  | 'invited'
  | 'present'
  | 'repeated'
  | 'invalid'
  | 'limit'
  | 'failed';
export type Line = PastedPerson & { readonly id: number; readonly result: Result; readonly why?: string };

export const isUnsent = ({ result }: Line) => result === 'ready' || result === 'limit' || result === 'failed';
export const count = (lines: readonly Line[], ...results: Result[]) =>
  lines.filter(({ result }) => results.includes(result)).length;

export const linesIn = (text: string): Line[] =>
  peopleIn(text).map((person, id) => {
    if (person.repeated) return { ...person, id, result: 'repeated' };
    const result = check(members.invite, { ...person, orgId: 1, roleId: 1 });
    return { ...person, id, result: 'messages' in result ? 'invalid' : 'ready' };
  });

/** Sends invitations one by one. Stops at a failure that would also affect the rest. */
export function useInvitations(orgId: OrgId, onInvited: (invited: Member[]) => void) {
  const [lines, setLines] = useState<readonly Line[]>();
  const [running, setRunning] = useState(false);
  const stopping = useRef(false);

  const send = async (all: readonly Line[], forAll: { roleId: RoleId; language: string }) => {
    const mark = (at: number, outcome: Pick<Line, 'result' | 'why'>) =>
      setLines((before) =>
        before?.map((line, index) => (index === at ? { ...line, why: '', ...outcome } : line)),
      );
    const newMembers: Member[] = [];
    const sendAll = async () => {
      for (const [at, line] of all.entries()) {
        if (stopping.current) break;
        if (!isUnsent(line)) continue;
        const { firstName, lastName, email } = line;
        mark(at, { result: 'sending' });
        try {
          newMembers.push(await call(members.invite, { orgId, ...forAll, firstName, lastName, email }));
          mark(at, { result: 'invited' });
        } catch (failure) {
          if (!(failure instanceof CallError)) {
            mark(at, { result: 'failed' });
            throw failure;
          }
          const { result, stops } = outcomeOf(failure);
          mark(at, { result, why: stops ? failure.message : '' });
          if (!stops) continue;
          present(failure);
          break;
        }
      }
    };
    stopping.current = false;
    setLines(all);
    try {
      await whileBusy(setRunning, sendAll);
    } finally {
      if (newMembers.length > 0) onInvited(newMembers);
    }
  };
  return {
    lines,
    running,
    send,
    stop: () => {
      stopping.current = true;
    },
    reset: () => setLines(undefined),
  };
}

function outcomeOf({ code }: CallError): { result: Result; stops: boolean } {
  if (code === 'user_present_in_org') return { result: 'present', stops: false };
  if (code === 'invalid_input') return { result: 'invalid', stops: false };
  return { result: code === 'sign_max_users_reached' ? 'limit' : 'failed', stops: true };
}
