import * as z from 'zod/mini';
import { fileId, idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { UPLOAD_TYPES } from '#contract/split-by-bytes/area-limits.ts';
import { applicationSettings, iconType } from '#contract/organizations/calls.ts';
import { input, nothing, orgId, shape } from '#contract/wire.ts';

export type MediaType = (typeof UPLOAD_TYPES)[number];

/** An image as the answer of a call: bytes instead of JSON. The bytes under a file id never change. */
export type Image = {
  readonly mediaType: MediaType;
  readonly bytes: Uint8Array;
  /** Whether shared caches may keep it. */
  readonly isPublic: boolean;
  /** Whether pages of other sites may show it. */
  readonly isForOtherSites?: true;
};
export const image = { answers: 'image', output: z.custom<Image>() } as const;

/** A file of a form. The page sends a `File`; the server holds its bytes in memory once. */
export type Upload = { readonly size: number; readonly bytes: () => Promise<Uint8Array> };

/** A light check: zod's own `z.file` would weigh on every page with a form. */
export const uploadedFile = z.custom<Upload>(
  (value) => typeof value === 'object' && value !== null && 'size' in value,
);
/** Fields of every upload besides its owner. The server ignores the file's own name and type. */
export const upload = { file: uploadedFile, permission: z.literal('1') };

export const drive = {
  /** Only stores the icon. `setIcon` then shows it. */
  uploadIcon: endpoint({
    method: 'POST',
    path: '/drive/appicon',
    access: 'admin',
    body: 'form',
    input: input({ ...upload, orgId: orgIdInQuery, iconType: idInQuery(iconType) }),
    output: shape({ fileId }),
    failures: ['org_not_found', 'invalid_image', 'unavailable'],
  }),
  setIcon: endpoint({
    method: 'POST',
    path: '/api/clientOrgIcon',
    access: 'admin',
    input: input({ orgId, iconType: iconType, fileId }),
    output: applicationSettings,
    failures: ['org_not_found', 'file_not_found'],
  }),
  icon: endpoint({
    method: 'GET',
    path: '/drive/appicon',
    access: 'public',
    input: input({ orgId: orgIdInQuery, fileId }),
    ...image,
    failures: ['file_not_found'],
  }),
  /** The upload becomes the caller's picture at once. */
  uploadPicture: endpoint({
    method: 'POST',
    path: '/drive/profile',
    access: 'session',
    body: 'form',
    input: input({ ...upload, orgId: z.optional(orgIdInQuery) }),
    output: shape({ fileId }),
    failures: ['org_not_found', 'invalid_image', 'unavailable'],
  }),
  removePicture: endpoint({
    method: 'DELETE',
    path: '/drive/profile',
    access: 'session',
    input: input({ orgId: z.optional(orgId) }),
    output: nothing,
    failures: ['org_not_found', 'file_not_found'],
  }),
  /** The picture of a person for their applications, without a session: the link is its own proof. */
  linkedPicture: endpoint({
    method: 'GET',
    path: '/drive/picture',
    access: 'public',
    input: input({
      fileId,
      until: z.string().check(z.regex(/^[1-9]\d{0,12}$/)),
      proof: z.string().check(z.regex(/^[\w-]{43}$/)),
    }),
    ...image,
    failures: ['file_not_found'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/drive/profile',
    access: 'session',
    beforeProof: 'whole',
    input: input({ fileId, orgId: z.optional(orgIdInQuery) }),
    ...image,
    failures: ['org_not_found', 'file_not_found'],
  }),
};
