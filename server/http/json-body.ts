import { errorCodes, type FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Half a letter, as only an escape can write it: no text the database could keep. */
const hasHalfLetter = (json: string) =>
  [...json.matchAll(/\\(ud[89ab]..\\ud[c-f]..|ud[89a-f]..|.)/gis)].some(([, escape]) => escape?.length === 5);

const DEPTH_MAX = 20;

/** Whether brackets nest deeper than any call of ours; those inside texts do not count. One look at each letter: no pattern to run away. */
function isTooDeep(json: string) {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length && depth <= DEPTH_MAX; at += 1) {
    const letter = json[at];
    if (letter === '"') inText = !inText;
    else if (inText && letter === '\\') at += 1;
    else if (!inText && (letter === '[' || letter === '{')) depth += 1;
    else if (!inText && (letter === ']' || letter === '}')) depth -= 1;
  }
  return depth > DEPTH_MAX;
}

/** JSON bodies are UTF-8 or refused, never guessed; keys that could reach a prototype are refused too. */
export function readJsonBodies(app: FastifyInstance) {
  const read = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (/charset=(?!"?utf-8\b)/i.test(request.headers['content-type'] ?? ''))
      return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    const json = textOf(body as Buffer);
    if (json === undefined || hasHalfLetter(json) || isTooDeep(json))
      return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
    return void read(request, json, done);
  });
}
