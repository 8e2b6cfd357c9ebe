/** Reads forms as browsers and OAuth clients send them. */
import type { FastifyInstance } from 'fastify';

/** A trailing `&` is allowed, and the order of fields has no meaning. A field that comes twice becomes a list. */
function readForm(body: string): Record<string, string | string[]> {
  const fields = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

export function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
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
