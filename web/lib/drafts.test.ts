import { expect, test } from 'vitest';
import { forgetDraft, holdDraft, keepDrafts, readDraft } from './drafts.ts';

function openPlace() {
  let text: string | null = null;
  return {
    read: () => text,
    keep: (newText: string) => {
      text = newText;
    },
    forget: () => {
      text = null;
    },
  };
}
const typeInto = (form: string, values: Record<string, string>) => holdDraft({ form, values });

const takeDraft = (place: ReturnType<typeof openPlace>, person: string, form: string) => {
  const values = readDraft(place, person, form);
  forgetDraft(place, person, form);
  return values;
};

test('typed text comes back once, to the same person in the same form, without passwords and codes (D12)', () => {
  const place = openPlace();
  const lets = [
    typeInto('profile', { firstName: 'Maya' }),
    typeInto('password', { newPassword: 'sturdy arch 42', confirm: 'sturdy arch 42' }),
    typeInto('proof', { appCode: '123456' }),
    typeInto('invite', { email: 'tom@northwind.example' }),
  ];
  typeInto('closed', { name: 'x' })();
  keepDrafts(place, 'maya');
  expect(place.read()).not.toMatch(/sturdy|1234|closed/);
  expect(takeDraft(place, 'maya', 'role')).toBeUndefined();
  expect(takeDraft(place, 'maya', 'profile')).toEqual({ firstName: 'Maya' });
  expect(takeDraft(place, 'maya', 'profile')).toBeUndefined();
  expect(takeDraft(place, 'maya', 'invite')).toEqual({ email: 'tom@northwind.example' });
  expect(place.read()).toBeNull();

  keepDrafts(place, 'maya');
  expect(takeDraft(place, 'lena', 'profile')).toBeUndefined();
  expect(takeDraft(place, 'maya', 'profile')).toBeUndefined();
  for (const letGo of lets) letGo();
  keepDrafts(place, 'maya');
  expect(place.read()).toBeNull();
});
