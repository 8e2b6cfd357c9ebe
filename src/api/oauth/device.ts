/** The page on which a player types the code that a device shows: /oauth/device. */
import type { FastifyInstance } from 'fastify';
import type { AppRequest } from '../../players/apps/grants.ts';
import { type Html, html, sendPage } from '../http/answers/html.ts';
import { addressKey } from '../http/limits/admission.ts';
import { parseForms } from './forms.ts';
import { hidden, type OauthOptions } from './options.ts';
import { formKey, isOurForm, type SignedIn, sendSignInFirst, signedIn } from './signed-in.ts';
import { notOurForm, sendProblemPage } from './trouble.ts';
import { named, permissions, whoYouAre } from './words.ts';

/** How many codes one player or one address may try per minute. There are 25,600,000,000 possible codes. */
const TRIES_PER_MINUTE = 10;

export async function devicePages(app: FastifyInstance, { services }: OauthOptions): Promise<void> {
  const {
    apps: { devices },
  } = services;
  const byPlayer = services.limits.perMinute('code of player', TRIES_PER_MINUTE);
  const byAddress = services.limits.perMinute('code of address', TRIES_PER_MINUTE);
  app.removeContentTypeParser('application/json');
  parseForms(app);
  app.setErrorHandler(sendProblemPage);

  app.get<{ Querystring: { user_code?: unknown } }>('/oauth/device', hidden, async (request, reply) => {
    const signed = await signedIn(services, request);
    if (!signed) return sendSignInFirst(reply, request, services.publicUrl);
    const { user_code: code } = request.query;
    if (code === undefined) return sendPage(reply, { title: 'Connect a device', body: askForCode(signed) });
    byPlayer(signed.viewer.id);
    byAddress(addressKey(request.ip));
    const asked = typeof code === 'string' ? await devices.find(code) : null;
    if (asked) return sendPage(reply, { title: 'Connect a device?', body: consent(signed, asked, String(code)) });
    return sendPage(reply, { title: 'Connect a device', body: askForCode(signed, WRONG), status: 404 });
  });

  app.post<{ Body: Record<string, unknown> | undefined }>('/oauth/device/answer', hidden, async (request, reply) => {
    const { user_code: code, form_key: key, decision } = request.body ?? {};
    const signed = await signedIn(services, request);
    if (!signed || typeof code !== 'string' || !isOurForm(signed, code, key)) throw notOurForm();
    const allowed = decision === 'allow';
    if (!(await devices.answer(code, signed.viewer.id, allowed)))
      return sendPage(reply, { title: 'Connect a device', body: askForCode(signed, WRONG), status: 404 });
    const body = allowed
      ? html`<h1>Connected</h1><p>The device will continue in a few seconds. You can close this page.</p>
<p>You can take the permission back at any time on <a href="/account">your account page</a>.</p>`
      : html`<h1>Not connected</h1><p>The device was told that you refused. You can close this page.</p>`;
    return sendPage(reply, { title: allowed ? 'Connected' : 'Not connected', body });
  });
}

const WRONG = 'There is no such code, or it has expired. Codes are valid for ten minutes. Look at the device again.';

const askForCode = ({ viewer }: SignedIn, trouble?: string): Html => html`
<h1>Connect a device</h1>
${whoYouAre(viewer)}
<p>A bot or a device without a browser shows you a code of eight letters. Type it here.</p>
${trouble && html`<p class="warning" role="alert" id="trouble">${trouble}</p>`}
<form method="get" action="/oauth/device">
<label for="user_code">Code of the device</label>
<input type="text" id="user_code" name="user_code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="ABCD-EFGH"${trouble && html` aria-describedby="trouble"`}>
<div class="buttons"><button>Continue</button></div>
</form>`;

const consent = (signed: SignedIn, { client, scopes }: AppRequest, code: string): Html => html`
<h1>Let ${named(client)} act for you?</h1>
${whoYouAre(signed.viewer)}
<p>The device must show this code:</p>
<p class="code">${code.toUpperCase()}</p>
${permissions(scopes)}
<h2>Who asks</h2>
<p>The app on the device calls itself “${client}”. Nobody here has checked it. Say yes only if the device is yours and in front of you: somebody who sent you this code could play for you.</p>
<form method="post" action="/oauth/device/answer">
<input type="hidden" name="user_code" value="${code}">
<input type="hidden" name="form_key" value="${formKey(signed, code)}">
<div class="buttons">
<button name="decision" value="allow">Yes, allow it</button>
<button class="second" name="decision" value="deny">No</button>
</div>
</form>`;
