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

/** Whether brackets nest deeper than any call of ours; those inside texts do not count. */
function isTooDeep(json: string) {
  let depth = 0;
  for (const [bracket] of json.replaceAll(/"(\\.|[^"\\])*"/gs, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
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
