/** Asks this device for a passkey. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  type WebAuthnError,
} from '@simplewebauthn/browser';
import { ask, Refusal, sentence } from '../api.ts';
import { AddPasskey, PasskeyOptions } from '../generated/operations.ts';
import { rest, signInBy } from '../sign-in.ts';

/** Browsers offer no passkeys by plain http over a network, nor for an address without a host name. */
export const passkeysWork = browserSupportsWebAuthn() && !/^[\d.]+$|^\[/.test(location.hostname);

/** Keeps the account if it is not kept yet, under another name if one is given. */
export async function addPasskey(playerName: string | null): Promise<void> {
  const { passkeyOptions } = await ask(PasskeyOptions, { playerName });
  const response = await startRegistration({ optionsJSON: passkeyOptions as PublicKeyCredentialCreationOptionsJSON });
  await ask(AddPasskey, { response, playerName });
}

export async function signInWithPasskey(): Promise<void> {
  const { options } = await rest<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    'POST',
    '/sign-in/passkey/options',
  );
  const response = await startAuthentication({ optionsJSON: options });
  await signInBy('/passkey', { response });
}

/** An error message for failures on the device and refusals of the server. */
export function passkeySentence(error: unknown): string {
  if (error instanceof Refusal) return signInSentence(error);
  const { name, code } = error as WebAuthnError;
  if (name === 'InvalidStateError' || code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey for your account already.';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'Nothing was changed: the passkey was not used.';
  return 'This device could not use a passkey.';
}

/** An error message for failed sign-ins. It uses the server's own words, because no session has ended. */
export const signInSentence = (error: unknown): string =>
  error instanceof Refusal && error.code === 'UNAUTHENTICATED' ? error.message : sentence(error);
