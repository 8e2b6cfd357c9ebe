/**
 * The GraphQL face of keeping an account and signing in to it. Cookies belong to HTTP, so signing in here makes a
 * token.
 */
import type { Resolvers } from '../../../generated/graphql.ts';
import type { Player } from '../../../players/player.ts';
import { deviceOf } from '../../../players/sign-in/sessions.ts';
import type { Services } from '../../../services.ts';
import { accountOf, sessionJson, signInToken } from '../../account.ts';
import { passkeyOrigin } from '../../http/callers/browser.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { addressKey } from '../../http/limits/admission.ts';
import { requireOwner } from '../../scopes.ts';
import type { Context } from './context.ts';

export function accountResolvers(services: Services) {
  const { accounts, publicUrl } = services;
  const { passkeys, email, recoveryCodes, sessions } = accounts;
  const originOf = ({ request }: Context) => passkeyOrigin(request, publicUrl);
  const fromOf = ({ request }: Context) => addressKey(request.ip);
  const signedIn = (player: Player) => signInToken(services, player);

  return {
    Query: {
      account: (_root, _args, { viewer }) => (viewer ? accountOf(services, viewer) : null),
    },

    Mutation: {
      passkeyOptions: (_root, { playerName }, context) =>
        passkeys.options(requireOwner(playerOf(context)), originOf(context), playerName) as Promise<never>,
      addPasskey: (_root, input, context) =>
        passkeys.add(requireOwner(playerOf(context)), originOf(context), {
          ...input,
          name: input.name ?? deviceOf(context.request.headers['user-agent']),
        }),
      renamePasskey: (_root, { id, name }, context) => passkeys.rename(playerOf(context), id, name),
      removePasskey: (_root, { id }, context) => passkeys.remove(playerOf(context), id),
      async keepByEmail(_root, { playerName }, context) {
        const player = requireOwner(playerOf(context));
        await email.keep(player, playerName);
        return accountOf(services, player);
      },
      async removeEmailSignIn(_root, _args, context) {
        const player = playerOf(context);
        await email.remove(player);
        return accountOf(services, player);
      },
      createRecoveryCodes: (_root, _args, context) => recoveryCodes.create(requireOwner(playerOf(context))),
      async endSession(_root, { id }, context) {
        const player = playerOf(context);
        return sessionJson(await sessions.end(player, id), player);
      },
      signOutEverywhere: (_root, { tokens }, context) => accounts.signOutEverywhere(playerOf(context), tokens === true),

      passkeySignInOptions: (_root, _args, context) =>
        passkeys.signInOptions(originOf(context), fromOf(context)) as Promise<never>,
      signInWithPasskey: async (_root, { response }, context) =>
        signedIn(await passkeys.signIn(originOf(context), response)),
      beginEmailSignIn: (_root, { address }, context) => email.begin(address, fromOf(context)),
      signInWithEmail: async (_root, given, context) => signedIn(await email.finish(given, fromOf(context))),
      signInWithRecoveryCode: async (_root, { code }, context) =>
        signedIn(await recoveryCodes.signIn(code, fromOf(context))),
    },
  } satisfies Pick<Resolvers, 'Query' | 'Mutation'>;
}
