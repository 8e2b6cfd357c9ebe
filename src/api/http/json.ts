import type { FastifyInstance } from 'fastify';

/** Deeper values would exhaust the stack of any code that walks through them. */
const MAX_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a JSON text nests too deeply. Short texts cannot, and are not examined. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === BACKSLASH) i++;
      else if (c === QUOTE) quoted = false;
    } else if (c === QUOTE) {
      quoted = true;
    } else if ((c | 0x20) === 0x7b) {
      if (++depth > MAX_DEPTH) return true; // [ or {
    } else if ((c | 0x20) === 0x7d) {
      depth--; // ] or }
    }
  }
  return false;
}

/** Fastify's own JSON parser, with a limit on depth. */
export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isTooDeep(body)) {
      done(Object.assign(new Error(`The body nests deeper than ${MAX_DEPTH} levels.`), { statusCode: 400 }), undefined);
    } else {
      parse(request, body, done);
    }
  });
}
