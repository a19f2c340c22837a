import { errorCodes, type FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether an escape is half of a surrogate pair, which the database cannot store. */
const hasHalfPair = (json: string) =>
  [...json.matchAll(/\\(ud[89ab]..\\ud[c-f]..|ud[89a-f]..|.)/gis)].some(([, escape]) => escape?.length === 5);

const DEPTH_MAX = 20;
/** Most calls have at most a dozen; the longest list names the organizations of a person. */
const VALUES_MAX = 2000;

/** Brackets and commas inside texts do not count. One linear scan, so no input makes it slow. */
function isTooMuch(json: string, valuesMax: number) {
  let depth = 0;
  let values = 1;
  let inText = false;
  for (let at = 0; at < json.length && depth <= DEPTH_MAX && values <= valuesMax; at += 1) {
    const character = json[at];
    if (character === '"') inText = !inText;
    else if (inText && character === '\\') at += 1;
    else if (!inText && (character === '[' || character === '{')) depth += 1;
    else if (!inText && (character === ']' || character === '}')) depth -= 1;
    else if (!inText && character === ',') values += 1;
  }
  return depth > DEPTH_MAX || values > valuesMax;
}

const isBlank = (json: string) => /^[ \t\r\n]*$/.test(json);

type Limits = { readonly types?: string[]; readonly bodyLimit?: number; readonly valuesMax?: number };
/** UTF-8 without keys that reach a prototype. Empty bodies count as an empty object, because proxies drop bodies. */
export function readJsonBodies(
  app: FastifyInstance,
  { types = ['application/json'], bodyLimit, valuesMax = VALUES_MAX }: Limits = {},
) {
  const read = app.getDefaultJsonParser('error', 'error');
  const asBuffer = { parseAs: 'buffer', ...(bodyLimit !== undefined && { bodyLimit }) } as const;
  app.addContentTypeParser(types, asBuffer, (request, bytes: Buffer, done) => {
    if (/charset=(?!"?utf-8\b)/i.test(request.headers['content-type'] ?? ''))
      return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    const json = textOf(bytes);
    if (json !== undefined && isBlank(json)) return done(null, {});
    if (json === undefined || hasHalfPair(json) || isTooMuch(json, valuesMax))
      return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
    return void read(request, json, done);
  });
  // A body without a type must be empty. Only reading it shows that, because chunks declare no length.
  app.addContentTypeParser('*', asBuffer, (request, bytes: Buffer, done) => {
    const isEmpty = request.headers['content-type'] === undefined && bytes.length === 0;
    if (request.is404 || isEmpty) return done(null, {});
    return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}
