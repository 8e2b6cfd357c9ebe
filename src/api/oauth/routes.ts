/** OAuth 2.1 for third-party apps: /oauth and the metadata under /.well-known. */
import type { FastifyInstance } from 'fastify';
import { authorizePages } from './authorize.ts';
import { devicePages } from './device.ts';
import { endpoints } from './endpoints.ts';
import { metadata } from './metadata.ts';
import type { OauthOptions } from './options.ts';

export async function oauth(app: FastifyInstance, options: OauthOptions): Promise<void> {
  await app.register(metadata);
  await app.register(endpoints, options);
  await app.register(authorizePages, options);
  await app.register(devicePages, options);
}
