/** What the routes of OAuth have in common. */
import type { Services } from '../../services.ts';

export interface OauthOptions {
  services: Services;
}

/**
 * These are described by their own standards and not in the reference. Their pages are forms, which work without a
 * script, so what proves that one was sent by us is in the form (see signed-in.ts).
 */
export const hidden = { schema: { hide: true }, config: { ignoresSession: true } };
