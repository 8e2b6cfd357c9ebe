/** Reads forms as browsers and OAuth clients send them. */
import type { FastifyInstance } from 'fastify';

/** A trailing `&` is allowed, and the order of fields has no meaning. A field that comes twice becomes a list. */
function readForm(body: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

/** Every form here is short. A form as long as other bodies may be would take long to read. */
const MAX_FORM_BYTES = 16_384;

export function parseForms(app: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, body, done) =>
    done(null, readForm(body)),
  );
}

/**
 * The fields of a form in which each may come once; the name of a field that came more than once; null if it is not a
 * form.
 */
export function fieldsOf(body: unknown): Record<string, string> | string | null {
  if (typeof body !== 'object' || body === null) return null;
  const twice = Object.entries(body).find(([, value]) => typeof value !== 'string');
  return twice ? twice[0] : (body as Record<string, string>);
}
