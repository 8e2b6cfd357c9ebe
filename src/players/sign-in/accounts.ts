/** How people keep an account and sign in to it again: wires the parts together. */
import type { Database } from '../../database/pool.ts';
import type { Apps } from '../apps/apps.ts';
import type { Player } from '../player.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { openAttempts } from './attempts.ts';
import { openChallenges } from './challenges.ts';
import { type EmailSignIn, openEmailSignIn, type SendSignIn } from './email.ts';
import { openPasskeys, type Passkey, type Passkeys } from './passkeys.ts';
import { openRecoveryCodes, type RecoveryCodes } from './recovery-codes.ts';
import { openSessions, type Session, type Sessions } from './sessions.ts';

/** What the owner of an account sees of it. */
export interface Account {
  /** Whether the account owns its name and has a way to sign in again. */
  kept: boolean;
  passkeys: Passkey[];
  sessions: Session[];
  /** The e-mail address that signs in to it. */
  signInAddress: string | null;
  recoveryCodesLeft: number;
  /** Whether this server sends mail. */
  mail: boolean;
}

export interface Accounts {
  sessions: Sessions;
  passkeys: Passkeys;
  email: EmailSignIn;
  recoveryCodes: RecoveryCodes;
  of(player: Player): Promise<Account>;
  /** Ends every session and, if `tokens` is true, revokes every token and every app. Returns the number of sessions. */
  signOutEverywhere(player: Player, tokens: boolean): Promise<number>;
  /** Deletes what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface AccountsParts {
  database: Database;
  tokens: Pick<Tokens, 'forget'>;
  apps?: Pick<Apps, 'revokeAll'>;
  send: SendSignIn;
  warn(message: string, error?: unknown): void;
  now?: () => number;
}

export function openAccounts({ database, tokens, apps, send, warn, now = Date.now }: AccountsParts): Accounts {
  const { prisma } = database;
  const attempts = openAttempts(database.pool);
  const challenges = openChallenges(database, now);
  const sessions = openSessions(database, now);
  const passkeys = openPasskeys({ database, challenges, attempts, now });
  const email = openEmailSignIn({ database, attempts, send, warn, now });
  const recoveryCodes = openRecoveryCodes(database, attempts, now);

  /** A guest whose account is kept may change its name and loses its tag, so the cached viewers must be forgotten. */
  function forget(player: Player): void {
    tokens.forget(({ id }) => id === player.id);
    sessions.forget(({ id }) => id === player.id);
  }

  return {
    sessions,
    recoveryCodes,
    passkeys: {
      ...passkeys,
      async add(player, origin, input) {
        const added = await passkeys.add(player, origin, input);
        forget(player);
        return added;
      },
    },
    email: {
      ...email,
      async keep(player, playerName) {
        await email.keep(player, playerName);
        forget(player);
      },
    },

    async of(player) {
      const [row, known, live, signInAddress, recoveryCodesLeft] = await Promise.all([
        prisma.player.findUniqueOrThrow({ where: { id: player.id }, select: { skeleton: true } }),
        passkeys.list(player),
        sessions.list(player),
        email.address(player),
        recoveryCodes.left(player),
      ]);
      const kept = row.skeleton !== null;
      return { kept, passkeys: known, sessions: live, signInAddress, recoveryCodesLeft, mail: email.possible };
    },

    async signOutEverywhere(player, andTokens) {
      const ended = await sessions.endAll(player);
      if (andTokens) {
        await apps?.revokeAll(player);
        const revokedAt = new Date(now());
        await prisma.token.updateMany({ where: { playerId: player.id, revokedAt: null }, data: { revokedAt } });
        tokens.forget(({ id }) => id === player.id);
      }
      return ended;
    },

    async sweep() {
      const where = { expiresAt: { lt: new Date(now()) } };
      await prisma.challenge.deleteMany({ where });
      await prisma.signInMail.deleteMany({ where });
      await prisma.session.deleteMany({ where });
    },

    close: email.close,
  };
}
