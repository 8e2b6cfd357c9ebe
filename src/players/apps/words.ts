/** The words of OAuth for what apps may ask for. */
import { SCOPES, type Scope } from '../player.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_GRANT];

export const scopeWords = (scopes: readonly Scope[]): string[] => scopes.map((scope) => scope.toLowerCase());
export const scopesOf = (words: readonly string[]): Scope[] =>
  SCOPES.filter((scope) => words.includes(scope.toLowerCase()));
