import { ownApplication } from './own.ts';
import { applicationId } from './registration.ts';
import { fileId, idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { image, upload } from '#contract/drive/calls.ts';
import { endpoint } from '#contract/endpoint.ts';
import { input } from '#contract/wire.ts';

export const applicationIcons = {
  /** The upload becomes the icon at once. */
  uploadApplicationIcon: endpoint({
    method: 'POST',
    path: '/drive/applicationicon',
    access: 'admin',
    body: 'form',
    input: input({ ...upload, orgId: orgIdInQuery, applicationId: idInQuery(applicationId) }),
    output: ownApplication,
    failures: [
      'org_not_found',
      'super_admin_only',
      'account_not_confirmed',
      'application_not_found',
      'invalid_image',
      'unavailable',
    ],
  }),
  /** Public, because people see it before they enter the application. */
  applicationIcon: endpoint({
    method: 'GET',
    path: '/drive/applicationicon',
    access: 'public',
    input: input({ fileId }),
    ...image,
    failures: ['file_not_found'],
  }),
};
