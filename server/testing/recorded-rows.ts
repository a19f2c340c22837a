import type { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { World } from './matrix-world.ts';
import type { TestApp } from './start-app.ts';

type Act = `${keyof typeof MODULE}.${keyof typeof ACTIVITY_TYPE}.${keyof typeof ACTION}`;
export type Recorded = {
  /** The rows that a successful call adds, in order; or the reason why there are none. */
  readonly rows: readonly Act[] | string;
  /** Prepares the call and returns it as one step. Without it a Super Admin sends the matrix's own input. */
  readonly ready?: (app: TestApp, world: World) => Promise<() => Promise<unknown>>;
};

export const entry = (rows: Recorded['rows'], ready: NonNullable<Recorded['ready']>): Recorded => ({
  rows,
  ready,
});
