// The operator's commands at the portal's machine: `npm run operator -- --help`.
import { operate } from './operator/command.ts';

const { code, out, errors } = await operate(process.argv.slice(2), process.env);
if (out) console.log(out);
if (errors) console.error(errors);
process.exitCode = code;
