// The expected answer of every call to every kind of caller, and its rows in the log, so that no call is open to people
// it is not for, and no change goes unrecorded.
import { api, type Api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { accountCalls } from './matrix-accounts.ts';
import { applicationCalls } from './matrix-applications.ts';
import { companyCalls } from './matrix-company.ts';
import type { Change, Row } from './matrix-world.ts';
import { organizationCalls } from './matrix-organizations.ts';
import { signInCalls } from './matrix-sign-in.ts';

/** A call without a row does not compile. */
const matrix = {
  ...accountCalls,
  ...signInCalls,
  ...organizationCalls,
  ...companyCalls,
  ...applicationCalls,
} as const satisfies {
  readonly [F in keyof Api]: {
    readonly [C in keyof Api[F]]: Api[F][C] extends { method: 'GET' } ? Row : Change;
  };
};

export const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = matrix;

type Call = { readonly feature: string; readonly name: string; readonly call: Endpoint; readonly row: Row };
export const calls: readonly Call[] = Object.entries<Record<string, Endpoint>>(api).flatMap(
  ([feature, group]) =>
    Object.entries(group).flatMap(([name, call]) => {
      const row = rows[feature]?.[name];
      return row ? [{ feature, name, call, row }] : [];
    }),
);
