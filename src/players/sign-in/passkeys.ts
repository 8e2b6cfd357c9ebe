/** Passkeys: WebAuthn credentials with which a person signs in again, on this device or another. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { isId, newId } from '../../id.ts';
import { withPlayerLocked } from '../locked.ts';
import { cleanTitle } from '../name.ts';
import type { Player } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';
import type { Attempts, Limit } from './attempts.ts';
import { CHALLENGE_MS, type Challenges } from './challenges.ts';
import { isTaken, keepAnd, nameToTake, refuseLastWayIn } from './keeping.ts';

export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface Passkeys {
  list(player: Player): Promise<Passkey[]>;
  /**
   * The options for the browser's request to make a passkey. Throws NAME_TAKEN early if a guest cannot keep its name.
   */
  options(player: Player, origin: string, playerName?: string | null): Promise<object>;
  /** Stores the passkey that the browser made. Keeps the account, under this name if it is not kept yet. */
  add(player: Player, origin: string, input: NewPasskey): Promise<Passkey>;
  rename(player: Player, id: string, name: string): Promise<Passkey>;
  remove(player: Player, id: string): Promise<Passkey>;
  /** `from` identifies the caller for the rate limit. */
  signInOptions(origin: string, from: string): Promise<object>;
  /** Returns the player whose passkey signed the response. Throws UNAUTHENTICATED. */
  signIn(origin: string, response: unknown): Promise<Player>;
}

export interface NewPasskey {
  response: unknown;
  /** The name that its owner gave it. */
  name: string;
  playerName?: string | null | undefined;
}

const MAX_PASSKEYS = 20;
/**
 * Anyone may begin to sign in, and each attempt stores a challenge for a while. The limit is generous, because a whole
 * school may share an address.
 */
const PER_ADDRESS: Limit = { what: 'passkey sign-ins', perHour: 1000 };
/** EdDSA, ES256 and RS256. They are listed so that instances on different versions of Node agree. */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

const shownPasskey = { id: true, name: true, createdAt: true, lastUsedAt: true } as const;

/** Loaded when first needed, because most servers do not need it when they start. */
const webauthn = () => import('@simplewebauthn/server');

const hostOf = (origin: string): string => new URL(origin).hostname;
const bytesOf = (playerId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(playerId.replaceAll('-', ''), 'hex'));

interface Parts {
  database: Database;
  challenges: Challenges;
  attempts: Attempts;
  now: () => number;
}

/** The passkeys of a player who is signed in. */
function openOwn({ database, challenges, now }: Parts): Omit<Passkeys, 'signInOptions' | 'signIn'> {
  const { prisma } = database;

  async function mine(player: Player, id: string): Promise<Passkey> {
    const found = isId(id) && (await prisma.passkey.findFirst({ where: { id, playerId: player.id } }));
    if (!found) throw refusals.noSuch('passkey');
    return found;
  }

  return {
    list: ({ id }) =>
      prisma.passkey.findMany({ where: { playerId: id }, orderBy: { id: 'asc' }, select: shownPasskey }),

    async options(player, origin, playerName) {
      const taking = await nameToTake(prisma, player.id, playerName);
      const known = await prisma.passkey.findMany({ where: { playerId: player.id } });
      if (known.length >= MAX_PASSKEYS) throw refusals.tooManyPasskeys(MAX_PASSKEYS);
      const userName = taking?.name ?? player.name;
      const options = await (await webauthn()).generateRegistrationOptions({
        rpName: 'Atoll',
        rpID: hostOf(origin),
        userName,
        userDisplayName: userName,
        userID: bytesOf(player.id),
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId, transports }) => ({
          id: Buffer.from(credentialId).toString('base64url'),
          transports,
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      await challenges.keep(options.challenge, 'ADD_PASSKEY', player.id);
      return options;
    },

    async add(player, origin, { response, name, playerName }) {
      const title = cleanTitle('The name of a passkey', name);
      const challenge = challengeIn(response);
      if (!(await challenges.take(challenge, 'ADD_PASSKEY', player.id))) throw refusals.badPasskey();
      const credential = await credentialIn(response as RegistrationResponseJSON, challenge, origin);
      try {
        return await keepAnd(database, player.id, playerName, async (tx) => {
          const playerId = player.id;
          if ((await tx.passkey.count({ where: { playerId } })) >= MAX_PASSKEYS)
            throw refusals.tooManyPasskeys(MAX_PASSKEYS);
          const data = { id: newId(), playerId, name: title, createdAt: new Date(now()), ...credential };
          return tx.passkey.create({ data, select: shownPasskey });
        });
      } catch (error) {
        throw isTaken(error, 'credential') ? refusals.badPasskey() : error;
      }
    },

    async rename(player, id, name) {
      const title = cleanTitle('The name of a passkey', name);
      await mine(player, id);
      return prisma.passkey.update({ where: { id }, data: { name: title }, select: shownPasskey });
    },

    async remove(player, id) {
      await mine(player, id);
      return withPlayerLocked(database, player.id, async (tx) => {
        await refuseLastWayIn(tx, player.id);
        return tx.passkey.delete({ where: { id }, select: shownPasskey });
      });
    },
  };
}

/** Signing in with a passkey, by somebody who is not known yet. */
function openSigningIn(parts: Parts): Pick<Passkeys, 'signInOptions' | 'signIn'> {
  const { challenges, attempts, now } = parts;
  const { prisma } = parts.database;
  return {
    async signInOptions(origin, from) {
      await attempts.take([PER_ADDRESS, from]);
      const options = await (await webauthn()).generateAuthenticationOptions({
        rpID: hostOf(origin),
        timeout: CHALLENGE_MS,
        userVerification: 'preferred',
      });
      await challenges.keep(options.challenge, 'SIGN_IN', null);
      return options;
    },

    async signIn(origin, response) {
      const challenge = challengeIn(response);
      if (!(await challenges.take(challenge, 'SIGN_IN', null))) throw refusals.badSignIn();
      const credentialId = credentialIdIn(response);
      const passkey =
        credentialId &&
        (await prisma.passkey.findUnique({ where: { credentialId }, include: { player: { select: shownPlayer } } }));
      if (!passkey) throw refusals.badSignIn();
      const counter = await counterIn(response as AuthenticationResponseJSON, challenge, origin, passkey);
      await prisma.passkey.update({
        where: { id: passkey.id },
        data: { counter, lastUsedAt: new Date(now()) },
      });
      return playerOf(passkey.player);
    },
  };
}

export const openPasskeys = (parts: Parts): Passkeys => ({ ...openOwn(parts), ...openSigningIn(parts) });

const MAX_BYTES = 1023; // the limit that WebAuthn sets for credential ids

function credentialIdIn(response: unknown): Uint8Array<ArrayBuffer> | null {
  const { id } = (response ?? {}) as { id?: unknown };
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) return null;
  const bytes = new Uint8Array(Buffer.from(id, 'base64url'));
  return bytes.length <= MAX_BYTES ? bytes : null;
}

/** The challenge that the device says it signed; a text that is never a challenge if there is none. */
function challengeIn(response: unknown): string {
  try {
    const { clientDataJSON } = (response as RegistrationResponseJSON).response;
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge: unknown;
    };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

async function credentialIn(response: RegistrationResponseJSON, expectedChallenge: string, expectedOrigin: string) {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID: hostOf(expectedOrigin),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw refusals.badPasskey();
    const { id, publicKey, counter } = registrationInfo.credential;
    const named: unknown = response.response.transports;
    return {
      credentialId: new Uint8Array(Buffer.from(id, 'base64url')),
      publicKey: new Uint8Array(publicKey),
      counter: BigInt(counter),
      transports: Array.isArray(named) ? TRANSPORTS.filter((transport) => named.includes(transport)) : [],
    };
  } catch {
    throw refusals.badPasskey(); // whatever the reason
  }
}

interface Known {
  playerId: string;
  credentialId: Uint8Array;
  publicKey: Uint8Array;
  counter: bigint;
}

/** The number of uses of the passkey, as counted by the device. */
async function counterIn(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  expectedOrigin: string,
  { playerId, credentialId, publicKey, counter }: Known,
): Promise<bigint> {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { userHandle } = response.response;
    if (userHandle && !Buffer.from(userHandle, 'base64url').equals(bytesOf(playerId))) throw refusals.badSignIn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID: hostOf(expectedOrigin),
      requireUserVerification: false,
      credential: {
        id: Buffer.from(credentialId).toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter: Number(counter),
      },
    });
    if (verified) return BigInt(authenticationInfo.newCounter);
  } catch {} // whatever the reason
  throw refusals.badSignIn();
}
