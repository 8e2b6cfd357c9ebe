/** Forms, as browsers and OAuth clients send them. */
import type { FastifyInstance } from 'fastify';

/** The last `&` of a form may be followed by nothing, and its order means nothing; a field that comes twice is a list. */
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

/** The fields of a form of which each may come once; the name of one that came more often; null: it is no form. */
export function fieldsOf(body: unknown): Record<string, string> | string | null {
  if (typeof body !== 'object' || body === null) return null;
  const twice = Object.entries(body).find(([, value]) => typeof value !== 'string');
  return twice ? twice[0] : (body as Record<string, string>);
}
