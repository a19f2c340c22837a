import { Key, Pause, Play, Trash2 } from 'lucide-react';
import type { Entry, Registry } from './registry.ts';

export type Act = 'rotate' | 'pause' | 'resume' | 'remove';

export const actIcons = { rotate: <Key />, pause: <Pause />, resume: <Play />, remove: <Trash2 /> };

export const hasSecret = (entry: Entry) => !('hasSecret' in entry) || entry.hasSecret;

export const actsOn = (registry: Registry<Entry>, entry: Entry): Act[] => [
  registry.isOff(entry) ? 'resume' : 'pause',
  ...(hasSecret(entry) ? (['rotate'] as const) : []),
  'remove',
];
