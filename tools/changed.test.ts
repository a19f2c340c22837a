import { expect, test } from 'vitest';
import { choose } from './changed.ts';

const tests = new Map([
  ['server/main.test.ts', ''],
  ['server/members/routes.test.ts', ''],
  ['server/members/data.test.ts', ''],
  ['server/members/directory/routes.test.ts', ''],
  ['server/roles/routes.test.ts', ''],
  ['e2e/members.e2e.ts', `import { invite } from './colleagues.ts';`],
  ['e2e/member-list.e2e.ts', ''],
  ['e2e/roles.e2e.ts', ''],
]);
const ofMembers = ['server/members/data.test.ts', 'server/members/routes.test.ts'];

test.each([
  ['server/members/actions.ts', ofMembers, []],
  ['server/members/routes.test.ts', ofMembers, []],
  ['server/members/directory/data.ts', ['server/members/directory/routes.test.ts'], []],
  ['server/members/ending/data.ts', ofMembers, []],
  ['server/strange/data.ts', [], []],
  ['server/main.ts', ['server/main.test.ts'], []],
  ['contract/members/calls.ts', ofMembers, []],
  ['contract/errors.ts', [], []],
  ['web/members/members-card.tsx', [], ['e2e/members.e2e.ts']],
  ['e2e/roles.e2e.ts', [], ['e2e/roles.e2e.ts']],
  ['e2e/colleagues.ts', [], ['e2e/members.e2e.ts']],
  ['docs/map.md', [], []],
])('%s', (file, serverTests, walks) => {
  expect(choose([file], tests)).toMatchObject({
    lint: /\.ts/.test(file) ? [file] : [],
    serverTests,
    walks,
  });
});

test('files of one folder ask for its tests once', () => {
  expect(choose(['server/members/data.ts', 'server/members/mail.ts'], tests).serverTests).toEqual(ofMembers);
});

test.each([
  [['server/members/data.ts', 'server/roles/data.ts'], ['server/']],
  [['contract/members/calls.ts'], ['contract/', 'server/', 'web/']],
  [['tools/check.ts', 'docs/map.md'], ['tools/']],
  [['e2e/roles.e2e.ts'], []],
])('pure tests of %j are in %j', (files, rooms) => expect(choose(files, tests).rooms).toEqual(rooms));
