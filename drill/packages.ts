import { findProgram } from '#server/testing/programs.ts';
import { databaseProgramsFolder } from './postgres.ts';

const programs = { haproxy: 'haproxy', 'redis-server': 'redis-server', 'util-linux': 'setpriv' };

/** The missing packages. Without Swift a folder stores the images. */
export const missingPackages = () => [
  ...(databaseProgramsFolder() ? [] : ['postgresql']),
  ...Object.entries(programs).flatMap(([name, program]) => (findProgram(program) ? [] : [name])),
];
