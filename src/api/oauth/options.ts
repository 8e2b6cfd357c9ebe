/** What the OAuth routes have in common. */
import type { Services } from '../../services.ts';

export interface OauthOptions {
  services: Services;
}

/**
 * These routes are described by their own standards and not in the reference. Their pages are forms that work without a
 * script, so the proof that our page sent a form is inside the form (see signed-in.ts).
 */
export const hidden = { schema: { hide: true }, config: { ignoresSession: true } };
