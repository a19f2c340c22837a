import { existsSync } from 'node:fs';
import path from 'node:path';

/** The path of an installed program, also where Debian installs servers; undefined if it is missing. */
export const findProgram = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
    .map((folder) => path.join(folder, name))
    .find((program) => existsSync(program));
