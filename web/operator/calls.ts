import { QueryCache, QueryClient } from '@tanstack/react-query';
import { type ActName, actNamed } from '#contract/operator/acts.ts';
import { deskActs, deskCall, deskEntry } from '#contract/operator/desk.ts';
import type { LookData } from '#contract/operator/looks.ts';
import { call, CallError } from '#web/lib/call.ts';
import { askForPasskey } from '#web/lib/passkeys.ts';

export type Answer<N extends ActName = ActName> = {
  readonly lines: readonly string[];
  readonly data: LookData<N>;
};
export type Level = 'support' | 'full';

export type PartProps = {
  readonly level: Level;
  readonly ways: readonly ('passkey' | 'app')[];
  /** The id of the person that the address names: `people/42`. */
  readonly open?: string | undefined;
};

const entryKey = ['entry'];
/** The operator of this browser, and until when the desk is open. */
export const entryQuery = { queryKey: entryKey, queryFn: () => call(deskEntry.read, {}), retry: false };

/** When a look is refused because the desk has closed, the entry is read again and shows the way in. */
export const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (needsProof(error)) void client.invalidateQueries({ queryKey: entryKey });
    },
  }),
});

/** Runs an act. Throws CallError with `reauthentication_required` if the desk asks for a proof first. */
export const run = <N extends ActName>(
  name: N,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Answer<N>> => call(deskCall(name), input) as Promise<Answer<N>>;

export const needsProof = (error: unknown) =>
  error instanceof CallError && error.code === 'reauthentication_required';

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export async function proveByPasskey() {
  const { options } = await call(deskEntry.beginPasskey, {});
  const passkey = await askForPasskey(options);
  return call(deskEntry.enter, { passkey });
}
export const proveByCode = (appCode: string) => call(deskEntry.enter, { appCode });

export const mayDo = (level: Level, name: ActName) => level === 'full' || actNamed(name).level === 'support';
export const mayChange = (level: Level, name: ActName) =>
  deskActs.includes(name) && actNamed(name).row !== undefined && mayDo(level, name);
export const changesOf = (level: Level, on: 'person' | 'application' | 'webhook' | undefined, group = '') =>
  deskActs.filter((name) => actNamed(name).on === on && mayChange(level, name) && name.startsWith(group));
