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
        code: Type.String({ description: 'The word by which programs tell one error from another.' }),
        status: Type.Integer({ description: 'The status that goes with it.' }),
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
