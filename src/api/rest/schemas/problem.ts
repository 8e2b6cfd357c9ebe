/** What is refused, and why. */
import { Type } from 'typebox';
import { type ErrorCode, STATUS } from '../../../errors.ts';

export const Problem = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.Enum(Object.keys(STATUS) as ErrorCode[]),
    detail: Type.String({ description: 'A sentence that helps.' }),
    version: Type.Optional(Type.Integer({ description: 'The current version of the match, with STALE_VERSION.' })),
    retryAfter: Type.Optional(
      Type.Integer({
        description: 'Seconds to wait, with RATE_LIMITED, QUOTA_EXCEEDED and UNAVAILABLE; also as Retry-After.',
      }),
    ),
  },
  { $id: 'Problem', description: 'What is refused, and why (RFC 9457). Some codes say more.' },
);

/** The answer of every route that has no other. */
export const refused = {
  description: 'Refused',
  content: { 'application/problem+json': { schema: Type.Ref('Problem') } },
};

export const components = [Problem];
