/** E-mail: plain text, sent through the operator's SMTP server. */
import type { Config } from '../config.ts';
import { onFirstUse } from '../first-use.ts';
import { type Message, sentence, subjectOf } from './message.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** Rejects if the server did not accept the mail; the error is `permanent` if it never will. */
export type SendMail = (mail: Mail) => Promise<void>;

export class MailError extends Error {
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}

const TIMEOUT_MS = 10_000;

/** Null if this server sends no mail. */
export function openMail({ SMTP_URL, MAIL_FROM }: Config): SendMail | null {
  if (!SMTP_URL) return null;
  const connect = async () =>
    (await import('nodemailer')).createTransport({
      url: SMTP_URL,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const transport = onFirstUse(connect);
  return async ({ to, subject, text, headers = {} }) => {
    try {
      // An object, so that an address cannot be read as a list of several.
      await (await transport()).sendMail({ from: MAIL_FROM, to: { name: '', address: to }, subject, text, headers });
    } catch (error) {
      const { message, responseCode } = error as Error & { responseCode?: number };
      throw new MailError(message.slice(0, 200), (responseCode ?? 0) >= 500);
    }
  };
}

/** The addresses to which the links in mails lead. */
export interface MailLinks {
  confirm(code: string): string;
  unsubscribe(token: string): string;
}

export function mailLinks({ PUBLIC_URL = '' }: Config): MailLinks {
  const base = PUBLIC_URL.replace(/\/+$/, '');
  return {
    confirm: (code) => `${base}/v1/email/confirm?code=${encodeURIComponent(code)}`,
    unsubscribe: (token) => `${base}/v1/email/unsubscribe?token=${encodeURIComponent(token)}`,
  };
}

/** Includes the headers by which mail programs offer to unsubscribe (RFC 8058). */
export function noticeMail(message: Message, to: string, unsubscribe: string): Mail {
  const link = message.page ? `\n\n${message.page}` : '';
  return {
    to,
    subject: subjectOf(message),
    text: `${sentence(message, null)}${link}\n\n-- \nTo stop these mails: ${unsubscribe}\n`,
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

// Anyone can have this mail sent to anyone, so it contains nothing that the sender can choose, not even a name.
export const confirmationMail = (
  to: string,
  tag: string | null,
  code: string,
  links: MailLinks,
  unsubscribe: string,
): Mail => ({
  to,
  subject: 'Confirm your address',
  text: `A player${tag === null ? '' : ` with the tag ${tag}`} wants to be notified at this address when it is their turn in a board game.

If that is you, open ${links.confirm(code)}
or give your client this code: ${code}

It is valid for 24 hours. If this was not you, do nothing: no other mail will be sent.

-- 
Forget this address: ${links.unsubscribe(unsubscribe)}
`,
  headers: { 'Auto-Submitted': 'auto-generated' },
});

/** The secret follows a #, so that it is sent to no server and appears in no log. */
export const signInLink = ({ PUBLIC_URL = '' }: Config, secret: string): string =>
  `${PUBLIC_URL.replace(/\/+$/, '')}/account#sign-in=${encodeURIComponent(secret)}`;

/** Sent only to the address that signs in to the account; the name is that of the account. */
export const signInMail = (to: string, name: string, code: string, link: string): Mail => ({
  to,
  subject: 'Sign in',
  text: `Somebody, probably you, wants to sign in as ${name}.

To sign in where you asked for this mail, type this code: ${code}
Or open this link on the device on which you want to play: ${link}

Each can be used once, within 15 minutes. If this was not you, do nothing: nobody can sign in without this mail.
`,
  headers: { 'Auto-Submitted': 'auto-generated' },
});
