/** The page on which a player allows an app to act for them: /oauth/authorize. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { hostOfClient } from '../../players/apps/redirect.ts';
import { type Html, html, sendPage } from '../http/answers/html.ts';
import { publicAddress } from '../http/callers/public-address.ts';
import { parseForms } from './forms.ts';
import { hidden, type OauthOptions } from './options.ts';
import { type AuthorizationRequest, answerUrl, type Fault, type Parameters, readAuthorization } from './request.ts';
import { formKey, isOurForm, type SignedIn, sendSignInFirst, signedIn } from './signed-in.ts';
import { notOurForm, sendProblemPage } from './trouble.ts';
import { named, permissions, sourceOf, targetOf, whoYouAre } from './words.ts';

export async function authorizePages(app: FastifyInstance, { services }: OauthOptions): Promise<void> {
  const { apps } = services;
  app.removeContentTypeParser('application/json');
  parseForms(app);
  app.setErrorHandler(sendProblemPage);

  app.get<{ Querystring: Parameters }>('/oauth/authorize', hidden, async (request, reply) => {
    const reading = readAuthorization(request.query);
    if ('fault' in reading) return sendFault(reply, reading.fault, publicAddress(request));
    const signed = await signedIn(services, request);
    if (!signed) return sendSignInFirst(reply, request, services.publicUrl);
    return sendConsent(reply, signed, reading.request);
  });

  app.post<{ Body: Parameters | undefined }>('/oauth/authorize', hidden, async (request, reply) => {
    const { form_key: key, decision, ...parameters } = request.body ?? {};
    const reading = readAuthorization(parameters);
    const iss = publicAddress(request);
    if ('fault' in reading) return sendFault(reply, reading.fault, iss);
    const { redirectUri, challenge, state, ...wanted } = reading.request;
    const signed = await signedIn(services, request);
    if (!signed || !isOurForm(signed, reading.request, key)) throw notOurForm();
    if (decision !== 'allow')
      return reply.redirect(answerUrl(redirectUri, { error: 'access_denied', state, iss }), 303);
    const code = await apps.grants.allow(signed.viewer.id, wanted, redirectUri, challenge);
    return reply.redirect(answerUrl(redirectUri, { code, state, iss }), 303);
  });
}

/**
 * A faulty request never redirects by itself, because anyone could have put its address into a link. The person has to
 * follow a link.
 */
function sendFault(reply: FastifyReply, { sentence, back }: Fault, iss: string): FastifyReply {
  const url =
    back && answerUrl(back.redirectUri, { error: back.error, error_description: sentence, state: back.state, iss });
  const body = html`
<h1>The app made a mistake</h1>
<p>An app sent you here to ask for a permission, but its request is not valid. Nothing was allowed.</p>
<p class="quiet">For the developers of the app: ${sentence}</p>
${url && back && html`<p><a href="${url}" rel="noreferrer">Go back to ${targetOf(back.redirectUri).name}</a></p>`}`;
  return sendPage(reply, { title: 'The app made a mistake', body, status: 400 });
}

/** The form fields from which the request can be read again. */
function fieldsOf({ client, redirectUri, scopes, state, challenge }: AuthorizationRequest): [string, string][] {
  return [
    ['response_type', 'code'],
    ['client_id', client],
    ['redirect_uri', redirectUri],
    ['scope', scopes.join(' ').toLowerCase()],
    ...(state === undefined ? [] : ([['state', state]] as [string, string][])),
    ['code_challenge', challenge],
    ['code_challenge_method', 'S256'],
  ];
}

const hiddenField = ([name, value]: [string, string]): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

function sendConsent(reply: FastifyReply, signed: SignedIn, request: AuthorizationRequest): FastifyReply {
  const { client, redirectUri, scopes } = request;
  const { name, isHere } = targetOf(redirectUri);
  const body = html`
<h1>Let ${named(client)} act for you?</h1>
${whoYouAre(signed.viewer)}
${permissions(scopes)}
<h2>Who asks</h2>
<p>${hostOfClient(client) === null && html`The app calls itself “${client}”. `}Nobody here has checked it. Your answer goes to ${
    isHere ? html`an app on this device (<b>${name}</b>)` : html`<b>${name}</b>`
  }. Say yes only if you came here from there, just now.</p>
<form method="post" action="/oauth/authorize">
${fieldsOf(request).map(hiddenField)}
${hiddenField(['form_key', formKey(signed, request)])}
<div class="buttons">
<button name="decision" value="allow">Yes, allow it</button>
<button class="second" name="decision" value="deny">No</button>
</div>
</form>`;
  return sendPage(reply, { title: 'Let an app act for you?', body, formsTo: sourceOf(redirectUri) });
}
