/**
 * Signing in by mail, with a link or a code. Only the mailbox itself learns whether an address signs in to an account.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { isId, newId } from '../../id.ts';
import { withPlayerLocked } from '../locked.ts';
import { addressDigest, cleanAddress } from '../mailbox.ts';
import type { Player } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';
import { type Attempts, EVERYBODY, type Limit } from './attempts.ts';
import { hashOfCode, newCode, newSecret, sha256 } from './codes.ts';
import { isTaken, keepAnd, refuseLastWayIn } from './keeping.ts';

/** Sends a mail to an address that signs in to an account; null if this server sends no mail. */
export type SendSignIn = ((address: string, name: string, code: string, link: string) => Promise<void>) | null;

export interface EmailSignIn {
  /** Whether this server can send mail. */
  readonly possible: boolean;
  /** The address that signs this player in. */
  address(player: Player): Promise<string | null>;
  /** Makes the player's confirmed address a way to sign in. This also keeps the account. */
  keep(player: Player, playerName?: string | null): Promise<void>;
  /** Removes the address as a way to sign in. Resolves to false if there was none. */
  remove(player: Player): Promise<boolean>;
  /**
   * Returns the id to give together with the code. The answer is the same for every address. `from` identifies the
   * caller for the rate limit.
   */
  begin(address: string, from: string): Promise<string>;
  /** Returns the player to whom the code or link was sent, and uses it up. Throws UNAUTHENTICATED. */
  finish(given: Given, from: string): Promise<Player>;
  /** Waits for mails that are being sent. */
  close(): Promise<void>;
}

/** What the person received by mail: the link, or the code together with the id from `begin`. */
export interface Given {
  id?: string | null | undefined;
  code?: string | null | undefined;
  link?: string | null | undefined;
}

const VALID_MS = 15 * 60_000;
/** A code has 40 random bits, which is enough because few attempts are allowed. */
const CHARACTERS = 8;
const MAX_ATTEMPTS = 5;

const MAILS_TO_ADDRESS: Limit = { what: 'sign-in mails to an address', perHour: 6 };
const MAILS_FROM_ADDRESS: Limit = { what: 'sign-in mails asked for', perHour: 60 };
const MAILS_BY_ALL: Limit = { what: 'sign-in mails asked for', perHour: 3000 };
const CODES_FROM_ADDRESS: Limit = { what: 'sign-in codes tried', perHour: 60 };
const CODES_FOR_ACCOUNT: Limit = { what: 'sign-in codes for an account', perHour: 20 };
const CODES_BY_ALL: Limit = { what: 'sign-in codes tried', perHour: 3000 };

// The address must still sign in to the account: it may have been removed since the mail was sent.
const OPENS = 'EXISTS (SELECT FROM sign_in_addresses a WHERE a.player_id = m.player_id AND a.digest = m.digest)';

const TRY = `
UPDATE sign_in_mails m SET attempts = attempts + 1 WHERE id = $1 AND expires_at > $2 AND attempts < ${MAX_ATTEMPTS}
RETURNING encode(digest, 'hex') AS digest, CASE WHEN ${OPENS} THEN player_id END AS "playerId", code_hash AS "codeHash"`;

interface Tried {
  digest: string;
  playerId: string | null;
  codeHash: Buffer;
}

interface Parts {
  database: Database;
  attempts: Attempts;
  send: SendSignIn;
  warn(message: string, error?: unknown): void;
  now: () => number;
}

/** Sends mails while callers go on: the time it takes would reveal whether there was a mail to send. */
function openMailing(send: SendSignIn, warn: Parts['warn']) {
  const sending = new Set<Promise<void>>();
  return {
    send(address: string, name: string, code: string, link: string): void {
      const sent = (send as NonNullable<SendSignIn>)(address, name, code, link).catch((error) =>
        warn('a sign-in mail could not be sent', error),
      );
      sending.add(sent);
      void sent.finally(() => sending.delete(sent));
    },
    settled: () => Promise.all(sending),
  };
}

/** Finds the player to whom a link or a code was sent, and uses it up. */
function openReceived({ database: { prisma, pool }, attempts, now }: Parts) {
  const found = async (id: string) =>
    playerOf(await prisma.player.findUniqueOrThrow({ where: { id }, select: shownPlayer }));

  return {
    async byLink(link: string): Promise<Player> {
      const { rows } = await pool.query<{ playerId: string | null }>(
        `DELETE FROM sign_in_mails m WHERE link_hash = $1 AND expires_at > $2 AND ${OPENS} RETURNING player_id AS "playerId"`,
        [sha256(link), new Date(now())],
      );
      const playerId = rows[0]?.playerId;
      if (!playerId) throw refusals.wrongSignInCode();
      return found(playerId);
    },

    async byCode(id: string, code: string): Promise<Player> {
      const { rows } = isId(id) ? await pool.query<Tried>(TRY, [id, new Date(now())]) : { rows: [] };
      const [tried] = rows;
      if (!tried) throw refusals.wrongSignInCode();
      const giveBack = await attempts.take([CODES_FOR_ACCOUNT, tried.digest]);
      const right = timingSafeEqual(tried.codeHash, hashOfCode(code));
      if (!right || tried.playerId === null) throw refusals.wrongSignInCode();
      const { rowCount } = await pool.query('DELETE FROM sign_in_mails WHERE id = $1', [id]);
      if (rowCount !== 1) throw refusals.wrongSignInCode(); // another request has just used it
      await giveBack();
      return found(tried.playerId);
    },
  };
}

/** The address as a way to sign in to an account. */
function openAddresses({ database, now }: Parts): Pick<EmailSignIn, 'address' | 'keep' | 'remove'> {
  const { prisma } = database;
  return {
    address: async ({ id }) => (await prisma.signInAddress.findUnique({ where: { playerId: id } }))?.address ?? null,

    async keep({ id: playerId }, playerName) {
      try {
        await keepAnd(database, playerId, playerName, async (tx) => {
          const email = await tx.email.findUnique({ where: { playerId } });
          if (!email) throw refusals.noEmail();
          if (!email.confirmedAt) throw refusals.emailNotConfirmed();
          const data = { address: email.address, digest: addressDigest(email.address), createdAt: new Date(now()) };
          await tx.signInAddress.upsert({ where: { playerId }, create: { playerId, ...data }, update: data });
        });
      } catch (error) {
        throw isTaken(error, 'digest') ? refusals.addressOpensAnother() : error;
      }
    },

    remove: ({ id: playerId }) =>
      withPlayerLocked(database, playerId, async (tx) => {
        if ((await tx.signInAddress.count({ where: { playerId } })) === 0) return false;
        await refuseLastWayIn(tx, playerId);
        await tx.signInAddress.delete({ where: { playerId } });
        return true;
      }),
  };
}

export function openEmailSignIn(parts: Parts): EmailSignIn {
  const { database, attempts, send, warn, now } = parts;
  const { prisma } = database;
  const mailing = openMailing(send, warn);
  const received = openReceived(parts);

  return {
    possible: send !== null,
    ...openAddresses(parts),

    async begin(text, from) {
      if (!send) throw refusals.noMailServer();
      const address = cleanAddress(text);
      const digest = addressDigest(address);
      await attempts.take(
        [MAILS_FROM_ADDRESS, from],
        [MAILS_TO_ADDRESS, Buffer.from(digest).toString('hex')],
        [MAILS_BY_ALL, EVERYBODY],
      );
      const [id, code, link] = [newId(), newCode(CHARACTERS), newSecret()];
      const opens = await prisma.signInAddress.findUnique({
        where: { digest },
        select: { address: true, player: { select: shownPlayer } },
      });
      await prisma.signInMail.create({
        data: {
          id,
          digest,
          playerId: opens?.player.id ?? null,
          codeHash: hashOfCode(code),
          linkHash: sha256(link),
          expiresAt: new Date(now() + VALID_MS),
        },
      });
      if (opens) mailing.send(opens.address, playerOf(opens.player).name, code, link);
      return id;
    },

    async finish({ id, code, link }, from) {
      const giveBack = await attempts.take([CODES_FROM_ADDRESS, from], [CODES_BY_ALL, EVERYBODY]);
      const player = link ? await received.byLink(link) : await received.byCode(id ?? '', code ?? '');
      await giveBack();
      return player;
    },

    async close() {
      await mailing.settled();
    },
  };
}
