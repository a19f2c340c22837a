import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type * as z from 'zod/mini';
import type { OwnApplication } from '#contract/applications/own.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { ownApplicationsText } from '#words/own-applications.ts';
import type { webhooksText } from '#words/webhooks.ts';
import type { Webhook } from '#contract/webhooks/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import type { Pill } from '#web/ui/pill.tsx';

export type Entry = OwnApplication | Webhook;

type CallOf<I, O> = Endpoint & { readonly input: z.core.$ZodType<I>; readonly output: z.core.$ZodType<O> };
type Named<E extends Entry> = { orgId: OrgId; id: E['id'] };
export type WithSecret<E extends Entry> = { entry: E; secret: string | null };

/** The applications or the webhooks of an organization: their calls, words and pages. */
export interface Registry<E extends Entry> {
  readonly path: 'applications' | 'webhooks';
  readonly act: 'manageApplications' | 'manageWebhooks';
  readonly text: typeof ownApplicationsText | typeof webhooksText;
  readonly list: CallOf<{ orgId: OrgId }, E[]>;
  readonly add: CallOf<{ orgId: OrgId }, WithSecret<E>>;
  readonly change: CallOf<Named<E>, E>;
  readonly rotateSecret: CallOf<Named<E>, WithSecret<E>>;
  readonly pause: CallOf<Named<E> & { isPaused: boolean }, E>;
  readonly remove: CallOf<Named<E> & { title: string }, { id: E['id'] }>;
  nameOf(entry: E): string;
  /** Whether it is paused or switched off. */
  isOff(entry: E): boolean;
  stateOf(entry: E): ComponentProps<typeof Pill>;
  troubleOf?(
    entry: E,
    momentWithin: (time: Date) => string,
  ): { kind: 'danger' | 'warning'; words: string } | undefined;
}

export const entriesQuery = <E extends Entry>({ list }: Registry<E>, orgId: OrgId) =>
  queryOptions({ queryKey: [list.path, orgId], queryFn: () => call(list, { orgId }) });

/** Shows a change of an entry at once, then refetches the list. */
export function useChanged<E extends Entry>(registry: Registry<E>, orgId: OrgId) {
  const client = useQueryClient();
  const query = entriesQuery(registry, orgId);
  return async (changed?: E) => {
    if (changed)
      client.setQueryData(query.queryKey, (list) =>
        list?.map((one) => (one.id === changed.id ? changed : one)),
      );
    await client.invalidateQueries(query);
  };
}

/** When the former secret ends, in words; undefined without one. */
export const formerSecret = (
  { text }: Registry<Entry>,
  { formerSecretEnds }: Entry,
  momentWithin: (time: Date) => string,
) =>
  formerSecretEnds !== null && formerSecretEnds > new Date()
    ? text.formerEnds({ time: momentWithin(formerSecretEnds) })
    : undefined;
