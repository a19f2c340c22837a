import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import * as areaLimits from '#contract/split-by-bytes/area-limits.ts';
import * as limits from './limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { ADMIN, SUPER_ADMIN } from '#contract/roles/calls.ts';

const byName: Record<string, unknown> = { ...limits, ...areaLimits };

// Specification section 9, number by number.
test.each([
  ['UPLOAD_MAX_BYTES', 5 * 1024 * 1024],
  ['UPLOAD_TYPES', ['image/png', 'image/jpeg']],
  ['CROP_ASPECT_RATIO', 1],
  ['CROP_JPEG_QUALITY', 0.9],
  ['UPLOAD_PERMISSION', 1],
  ['ICON_TYPE', { dark: 1, light: 2 }],
  ['NOTIFICATION_TYPE', { productUpdates: 1, productOffers: 2, promotionalUpdates: 3 }],
  ['EMPLOYEE_COUNT_MAX', 100_000],
  ['PASSWORD_MIN_CHARACTERS', 8],
  ['OTP_CHARACTERS', 6],
  ['APPLICATION_NAME_MAX_LETTERS', 8],
  ['ALERT_SHOWN_MS', 5000],
  ['BEACON_THROTTLE_SECONDS', 60],
  ['DELETION_GRACE_DAYS', 60],
  ['RESTRICTION_HOURS', 24],
  ['PLAN', 'Professional Plan'],
  ['DEFAULT_COUNTRY', 'United States'],
  ['SOCIAL_POPUP_PIXELS', { width: 600, height: 700 }],
  ['POPUP_POLL_MS', 1000],
] as const)('specification: %s is %j', (name, value) => {
  expect(byName[name]).toEqual(value);
});

test('the codes are the specification’s, and new ones start at 13', () => {
  expect(MEMBER_STATUS).toEqual({ invited: 1, active: 2, inactive: 3, disabled: 4 });
  expect(ACTION).toEqual({
    create: 1,
    read: 2,
    update: 3,
    delete: 4,
    search: 5,
    change: 6,
    upload: 7,
    invite: 8,
  });
  expect(MODULE).toEqual({
    organization: 1,
    profile: 2,
    communication: 3,
    signInDevice: 4,
    recentActivity: 5,
    deleteAccount: 6,
  });
  expect(ACTIVITY_TYPE).toMatchObject({
    profileInformation: 1,
    contactInformation: 2,
    password: 3,
    emailNotification: 4,
    applicationInformation: 5,
    organizationInformation: 6,
    roleInformation: 7,
    invitedContact: 8,
    auditLog: 9,
    deleteAccount: 10,
    permission: 11,
    signInDevice: 12,
    signIn: 13,
    twoStep: 14,
    invitationAnswer: 15,
    stepUp: 16,
    connectedApplication: 17,
    ownApplication: 18,
    suiteApplication: 19,
    webhook: 24,
    dataExport: 25,
    organizationData: 26,
  });
  const types = Object.values(ACTIVITY_TYPE);
  expect(new Set(types).size).toBe(types.length);
  expect([SUPER_ADMIN, ADMIN]).toEqual(['Super Admin', 'Admin']);
});
