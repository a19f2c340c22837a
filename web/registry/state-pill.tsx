import { Pill } from '#web/ui/pill.tsx';
import type { Entry, Registry } from './registry.ts';

export function StatePill({ registry, entry }: { registry: Registry<Entry>; entry: Entry }) {
  const { tone, words } = registry.stateOf(entry);
  return <Pill tone={tone}>{words}</Pill>;
}
