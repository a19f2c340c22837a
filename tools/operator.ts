// The operator's commands at the portal's machine: `npm run operator -- --help`.
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// A command asks a running portal and ends, so most of its time is its start.
enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/portico/compiled'));
const { operate } = await import('./operator/command.ts');
const { code, out, errors } = await operate(process.argv.slice(2), process.env);
if (out) console.log(out);
if (errors) console.error(errors);
process.exitCode = code;
