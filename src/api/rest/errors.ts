/** The error codes of this server: /v1/errors. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { errorCodes } from '../../errors.ts';
import { routesOf } from './route.ts';

const { open } = routesOf('health');

const Codes = Type.Object(
  {
    errors: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Identifies the error to programs.' }),
        status: Type.Integer({ description: 'The HTTP status of such an answer.' }),
        meaning: Type.String({ description: 'What it means, and what to do about it.' }),
      }),
    ),
  },
  { description: 'Every code.' },
);

export const restErrors: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/errors',
    open({
      operationId: 'listErrorCodes',
      summary: 'Every error code that this server answers with',
      response: { 200: Codes },
    }),
    async () => ({ errors: errorCodes }),
  );
};
