/** The e-mail addresses of players. Nothing but a code is sent to an address before it is confirmed. */
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/pool.ts';
import { refusals } from '../errors.ts';
import { BASE32 } from '../id.ts';
import { addressDigest, cleanAddress } from '../players/mailbox.ts';
import type { Player } from '../players/player.ts';
import { confirmationMail, type MailLinks, type SendMail } from './mail.ts';

export interface Email {
  address: string;
  /** Null until the address is confirmed by the code that was sent there. */
  confirmedAt: Date | null;
}

export interface Emails {
  get(player: Player): Promise<Email | null>;
  /** Sends a code to the address, which replaces the previous one. */
  set(player: Player, address: string): Promise<Email>;
  /** Without a player if somebody opened the link in the mail. */
  confirm(player: Player | null, code: string): Promise<Email>;
  /** Resolves to false if there was none. */
  remove(player: Player): Promise<boolean>;
  /** Identified by the token that is part of every mail. */
  unsubscribe(token: string): Promise<void>;
}

export interface EmailsParts {
  database: Database;
  sendMail: SendMail | null;
  links: MailLinks;
  warn(message: string, error?: unknown): void;
  now?: () => number;
}

const CODE_MS = 24 * 3_600_000;
/** The minimum time between two codes for one player. */
const PAUSE_MS = 60_000;
/** How many codes a day may be sent to one address, whoever asks, and for one player, whatever the address. */
const MAX_CODES = 5;

const newCode = (): string => Array.from(randomBytes(12), (byte) => BASE32[byte & 31]).join('');
const hashOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(text.trim().toUpperCase()).digest());

const wait = (ms: number) =>
  refusals.enoughCodes({
    retryAfter: Math.max(1, Math.ceil(ms / 1000)),
  });

// The locks keep the counts correct when several codes are requested at once. The address is locked first and then the
// player, so that no two requests deadlock.
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 20261117))';

export function openEmails({ database: { prisma }, sendMail, links, warn, now = Date.now }: EmailsParts): Emails {
  const shown = { address: true, confirmedAt: true } as const;

  /** Registering is free, so the number of mails to one address must not depend on who asks. */
  async function keepPace(player: Player, address: string): Promise<void> {
    const digest = addressDigest(address);
    const hex = Buffer.from(digest).toString('hex');
    await prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(LOCK, hex);
      await tx.$executeRawUnsafe(LOCK, player.id);
      const time = now();
      const recent = await tx.mailCode.findMany({
        where: { OR: [{ digest }, { playerId: player.id }], sentAt: { gt: new Date(time - CODE_MS) } },
        orderBy: { id: 'desc' },
        take: 2 * MAX_CODES,
      });
      const own = recent.filter(({ playerId }) => playerId === player.id);
      const there = recent.filter((code) => Buffer.from(code.digest).equals(digest));
      const left = own[0] ? own[0].sentAt.getTime() + PAUSE_MS - time : 0;
      if (left > 0) throw wait(left);
      if (own.length >= MAX_CODES || there.length >= MAX_CODES) throw wait(CODE_MS);
      await tx.mailCode.create({ data: { digest, playerId: player.id, sentAt: new Date(time) } });
    });
  }

  return {
    get: (player) => prisma.email.findUnique({ where: { playerId: player.id }, select: shown }),

    async set(player, text) {
      if (!sendMail) throw refusals.noMailServer();
      const address = cleanAddress(text);
      await keepPace(player, address);
      const code = newCode();
      const unsubscribe = randomBytes(24).toString('base64url');
      const data = {
        address,
        confirmedAt: null,
        codeHash: hashOf(code),
        codeExpiresAt: new Date(now() + CODE_MS),
        unsubscribe,
      };
      const email = await prisma.email.upsert({
        where: { playerId: player.id },
        create: { playerId: player.id, ...data },
        update: data,
        select: shown,
      });
      try {
        await sendMail(confirmationMail(address, player.tag, code, links, unsubscribe));
      } catch (error) {
        warn('a code could not be mailed', error);
        throw refusals.codeNotSent({
          retryAfter: 60,
        });
      }
      return email;
    },

    async confirm(player, code) {
      const codeHash = hashOf(code);
      const found = await prisma.email.findUnique({ where: { codeHash, codeExpiresAt: { gt: new Date(now()) } } });
      if (!found || (player && found.playerId !== player.id)) throw refusals.badCode();
      return prisma.email.update({
        where: { playerId: found.playerId, codeHash }, // a newer address that replaced it has a code of its own
        data: { confirmedAt: new Date(now()), codeHash: null, codeExpiresAt: null },
        select: shown,
      });
    },

    async remove(player) {
      return (await prisma.email.deleteMany({ where: { playerId: player.id } })).count > 0;
    },

    async unsubscribe(token) {
      await prisma.email.deleteMany({ where: { unsubscribe: token } });
    },
  };
}
