/** Registering, signing in and out, and the token that is used. */
import type { Caller } from './caller.ts';
import type { ClientOptions, Player } from './client.ts';
import { isRefusal } from './errors.ts';
import { Me, Register } from './generated/operations.ts';
import { type Records, randomText } from './storage.ts';

export interface Tokens {
  now(): Promise<string | undefined>;
  /** From now on the token in the storage is used. */
  forgetGiven(): void;
}

/** The token that was given, or a function that returns one; otherwise the stored one. */
export function openTokens({ token: given }: ClientOptions, records: Records): Tokens {
  let source = given;
  return {
    async now() {
      const token = typeof source === 'function' ? await source() : source;
      return token ?? (await records.session.get())?.token;
    },
    forgetGiven() {
      source = undefined;
    },
  };
}

export function openAccount(caller: Caller, records: Records, tokens: Tokens, hasCookie: boolean) {
  const me = async (): Promise<Player | null> => (await caller.query(Me, {})).me ?? null;

  async function register(name: string): Promise<Player> {
    const { register: made } = await caller.surely(Register, { name, idempotencyKey: randomText() });
    tokens.forgetGiven();
    await records.session.set({ token: made.token, id: made.player.id, name: made.player.name });
    return made.player;
  }

  async function signIn(name: string): Promise<Player> {
    if (!hasCookie && (await tokens.now()) === undefined) return register(name);
    try {
      return (await me()) ?? (await register(name));
    } catch (error) {
      if (!isRefusal(error, 'UNAUTHENTICATED')) throw error;
      await signOut(); // a request with a token that is not valid is refused, whatever it asks for
      return register(name);
    }
  }

  async function signOut(): Promise<void> {
    tokens.forgetGiven();
    await records.session.delete();
  }

  return { me, register, signIn, signOut, token: tokens.now };
}
