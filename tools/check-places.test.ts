import { expect, test } from 'vitest';
import { checkPlaces } from './check-places.ts';

const linesOf = (file: string, text: string) => checkPlaces(new Map([[file, text]])).map(({ line }) => line);

test.for([
  ['server/members/rules.ts', `const noMember = { details: 'This person is no member.' };`],
  ['server/http/serve.ts', "refuse('not_allowed', { details: `No ${name}` });"],
  ['server/members/mail.ts', `frame({ subject: 'You are invited' });`],
  ['server/members/mail.ts', 'frame({ paragraphs: [`${name} has declined.`] });'],
  ['web/members/card.tsx', 'const a = <p>{name} has declined</p>;'],
  ['web/members/card.tsx', 'const a = <Button aria-label="Decline" />;'],
  ['server/drive/data.ts', "query.where('company_rule', '=', 'everybody')"],
] as const)('%s may not hold %s', ([file, text]) => {
  expect(linesOf(file, `\n${text}`)).toEqual([2]);
});

test.for([
  ['web/members/card.tsx', 'const a = <img alt="" title={text.declined} name="decline" />;'],
  ['server/members/rules.test.ts', `const answer = { details: 'This person is no member.' };`],
  ['server/members/rules.ts', `const noMember = { details: refusalText.noMember };`],
  ['server/members/mail.ts', 'mailOf(mailText.removed, { name }, `${origin}/login?digest={{digest}}`);'],
  ['server/members/rules.ts', `const course = 'sign in';`],
  ['server/company-sign-in/rule/data.ts', '.set({ company_rule: rule })'],
] as const)('%s may hold %s', ([file, text]) => {
  expect(linesOf(file, text)).toEqual([]);
});
