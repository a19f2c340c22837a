import { errorCodes, type FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON bodies are UTF-8 or refused, never guessed; keys that could reach a prototype are refused too. */
export function readJsonBodies(app: FastifyInstance) {
  const read = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (/charset=(?!"?utf-8\b)/i.test(request.headers['content-type'] ?? ''))
      return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    try {
      return void read(request, utf8.decode(body as Buffer), done);
    } catch {
      return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
    }
  });
}
