/**
 * Finds out who is signed in in the browser that shows a permission page, and proves that its form was sent by our
 * page.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../../players/player.ts';
import type { Services } from '../../services.ts';
import { sendPage } from '../http/answers/html.ts';
import { homeOf, isFromHome, sessionOf } from '../http/callers/browser.ts';
import { noSessionsHere, signInFirst } from './words.ts';

export interface SignedIn {
  viewer: Viewer;
  /** What only this browser and the server know. */
  secret: string;
}

/** Resolves to null if nobody is signed in, or if a page of another site sent this request. */
export async function signedIn(services: Services, request: FastifyRequest): Promise<SignedIn | null> {
  const { accounts, bans, limits, publicUrl } = services;
  const secret = sessionOf(request);
  if (secret === undefined || (request.method === 'POST' && !isFromHome(request, homeOf(request, publicUrl))))
    return null;
  const viewer = await accounts.sessions.viewerOf(secret, () => limits.refuseAfterTooManyFailures(request));
  if (!viewer) limits.failure(request);
  if (viewer) bans.check(viewer.id); // a banned player gives no permissions
  return viewer && { viewer, secret };
}

/** A key for a form that is valid only for this session and this content. Nobody else can make it. */
export const formKey = ({ secret }: SignedIn, content: unknown): string =>
  createHmac('sha256', secret)
    .update(`atoll/form/${JSON.stringify(content)}`)
    .digest('base64url');

export function isOurForm(signed: SignedIn, content: unknown, key: unknown): boolean {
  if (typeof key !== 'string') return false;
  const [expected, given] = [Buffer.from(formKey(signed, content)), Buffer.from(key)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The page for a person who is not signed in yet, or cannot be. */
export function sendSignInFirst(
  reply: FastifyReply,
  request: FastifyRequest,
  publicUrl: string | undefined,
): FastifyReply {
  if (homeOf(request, publicUrl) === null)
    return sendPage(reply, { title: 'Not at this address', body: noSessionsHere, status: 403 });
  return sendPage(reply, { title: 'Sign in first', body: signInFirst(request.url), status: 401 });
}
