import * as z from 'zod/mini';
import { fileId, idInQuery, orgIdInQuery } from '#contract/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { UPLOAD_TYPES } from '#contract/area-limits.ts';
import { iconType } from '#contract/organizations.ts';
import { input, nothing, orgId, shape } from '#contract/wire.ts';

export type MediaType = (typeof UPLOAD_TYPES)[number];

/** An image as a call answers it: its bytes instead of an envelope. They never change under their file id. */
export type Image = {
  readonly mediaType: MediaType;
  readonly bytes: Uint8Array;
  /** Whether caches on the way may keep it too. */
  readonly isPublic: boolean;
};
/** A call that answers with an image. */
export const image = z.custom<Image>();

type Upload = z.output<z.ZodMiniFile>;
declare const File: abstract new () => Upload;

/** Zod's own check would weigh on every page that has a form. */
export const uploaded = z.custom<Upload>((value) => value instanceof File);
/** What every upload is sent with, besides where it belongs; the file's own name and type count for nothing. */
const upload = { file: uploaded, permission: z.literal('1') };

export const drive = {
  /** The icon is shown once POST /clientOrgIcon names it. */
  uploadIcon: endpoint({
    method: 'POST',
    path: '/drive/appicon',
    access: 'admin',
    body: 'form',
    input: input({ ...upload, orgId: orgIdInQuery, iconType: idInQuery(iconType) }),
    output: shape({ fileId }),
    failures: ['org_not_found', 'invalid_image', 'unavailable'],
  }),
  icon: endpoint({
    method: 'GET',
    path: '/drive/appicon',
    access: 'public',
    input: input({ orgId: orgIdInQuery, fileId }),
    output: image,
    failures: ['file_not_found'],
  }),
  /** Becomes the caller's picture at once. */
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
  picture: endpoint({
    method: 'GET',
    path: '/drive/profile',
    access: 'session',
    input: input({ fileId, orgId: z.optional(orgIdInQuery) }),
    output: image,
    failures: ['org_not_found', 'file_not_found'],
  }),
};
