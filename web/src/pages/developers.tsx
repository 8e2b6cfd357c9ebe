/** For developers of clients and bots: how to begin, and everything that a client may encounter. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { CreateToken, ErrorTable, type ErrorTableQuery, Register } from '../generated/operations.ts';
import { CopyLink } from '../parts/copy.tsx';
import { session } from '../session.ts';
import { title } from '../turns.ts';

const { origin } = location;
const socket = origin.replace(/^http/, 'ws');

const LINKS = [
  ['/graphiql', 'GraphiQL', 'try the GraphQL API in the browser, with examples that work from top to bottom'],
  ['/docs', 'REST reference', 'try the REST API in the browser'],
  ['/schema.graphql', 'schema.graphql', 'the GraphQL contract, described in full'],
  ['/openapi.json', 'openapi.json', 'the REST contract, OpenAPI 3.1'],
  ['/health/ready', 'Health', 'whether the server is healthy'],
] as const;

const SECTIONS = [
  ['start', 'Quick start'],
  ['authentication', 'Authentication'],
  ['errors', 'Errors'],
  ['streams', 'Streams'],
  ['limits', 'Limits'],
  ['webhooks', 'Webhooks'],
  ['agents', 'Agents'],
  ['changelog', 'Changelog'],
] as const;

const quickStart = (token: string) => `JSON='content-type: application/json'
AUTH='authorization: Bearer ${token}'

# 1. a match against a bot: the answer holds its id
curl -s ${origin}/v1/matches -H "$AUTH" -H "$JSON" \\
     -d '{"game":"cacao","seats":2,"bots":["EASY"]}'
ID=<the id of the answer>

# 2. what you may do, and at which version
curl -s ${origin}/v1/matches/$ID/legal-actions -H "$AUTH"

# 3. do one of these; with an actionId it happens once, however often it is sent
curl -s ${origin}/v1/matches/$ID/actions -H "$AUTH" -H "$JSON" \\
     -d '{"action": <one of them>, "expectedVersion": <version>, "actionId": "1"}'

# 4. the table as a picture, and as it is played
curl -s ${origin}/v1/matches/$ID/board.svg -H "$AUTH" > table.svg
curl -sN ${origin}/v1/matches/$ID/events -H "$AUTH" -H 'accept: text/event-stream'`;

const BY_GRAPHQL = `subscription {                       # ${socket}/graphql, protocol graphql-transport-ws
  matchEvents(matchId: "…", after: 0) {
    version
    label
    matchThen { view legalActions { label action } }
  }
}`;

const BY_REST = `GET ${origin}/v1/matches/<id>/events
Accept: text/event-stream
Last-Event-ID: <the last version that you have seen>`;

const BY_TICKET = `POST ${origin}/v1/tickets
{"purpose": "EVENTS", "matchId": "$ID"}

new EventSource("${origin}/v1/matches/$ID/events?ticket=<ticket>")`;

/** A text that scrolls must be reachable by keyboard. */
const Code = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <pre tabIndex={0}>{children}</pre>
);

/** A page of the documentation without its title, made at build time. */
const documents = import.meta.glob<string>(
  ['../../../docs/{clients,limits,notices,agents}.md', '../../../CHANGELOG.md'],
  {
    import: 'default',
  },
);

function Doc({ path }: { path: string }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    documents[`../../../${path}`]?.().then(
      (text) => setHtml(text.replace(/^<h1>.*?<\/h1>/, '').replaceAll('http://localhost:4000', origin)),
      () => setHtml('<p>This part could not be loaded.</p>'),
    );
  }, [path]);
  // This is our own text, in which markup is escaped.
  return <div class="rules doc" dangerouslySetInnerHTML={{ __html: html }} />;
}

function Section({ id, children }: { id: (typeof SECTIONS)[number][0]; children: ComponentChildren }) {
  return (
    <section id={id}>
      <h2>{SECTIONS.find(([name]) => name === id)?.[1]}</h2>
      {children}
    </section>
  );
}

/**
 * A player who is signed in gets a further token. Anyone else becomes a guest, and this token is the only key to the
 * account.
 */
async function makeToken(): Promise<string> {
  const name = 'Developer';
  if (session.value) return (await ask(CreateToken, { name })).createToken.token;
  return (await ask(Register, { name })).register.token;
}

function Start() {
  const [token, setToken] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const make = () => makeToken().then(setToken, (error) => setFailure(sentence(error)));
  return (
    <Section id="start">
      <p>
        A client needs only a token. This button makes one
        {session.value ? ` for ${session.value.name}` : ', for a new guest'}; it is shown once.
      </p>
      {token === null ? (
        <button type="button" class="primary" data-make-token onClick={() => void make()}>
          Make a token
        </button>
      ) : (
        <CopyLink link={token} label="Your token. Anyone who has it can play in your name" />
      )}
      {failure && <p class="notice">{failure}</p>}
      <Code>{quickStart(token ?? '<token>')}</Code>
    </Section>
  );
}

function Errors() {
  const [codes, setCodes] = useState<ErrorTableQuery['errorCodes']>([]);
  useEffect(
    () =>
      void ask(ErrorTable, {}).then(
        (answer) => setCodes(answer.errorCodes),
        () => {},
      ),
    [],
  );
  return (
    <Section id="errors">
      <p>
        GraphQL says the code in <code>errors[].extensions.code</code>, REST in a problem (
        <code>application/problem+json</code>). The message beside it is for people. The same table comes by{' '}
        <code>errorCodes</code> and <a href="/v1/errors">/v1/errors</a>.
      </p>
      <dl>
        {codes.map(({ code, status, meaning }) => (
          <div key={code} id={code}>
            <dt>
              <code>{code}</code> <small>{status}</small>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const Authentication = () => (
  <Section id="authentication">
    <p>
      Send the token with every request as <code>Authorization: Bearer &lt;token&gt;</code>; a WebSocket sends it in the
      payload of <code>connection_init</code> as <code>{'{"token": "…"}'}</code>. Without one you can look at everything
      that is public.
    </p>
    <p>
      <code>createToken</code> makes further tokens, each with the scopes it needs: <code>read</code> to look,{' '}
      <code>play</code> to sit down and act, <code>create</code> to open matches, <code>notices</code> for webhooks,{' '}
      <code>account</code> for everything else. A token that lacks one gets <code>FORBIDDEN</code>. Tokens are listed
      and ended at <a href="/account">your account</a>.
    </p>
    <p>
      An app that acts for other people asks each of them by OAuth 2.1 (authorization code with PKCE, or the device flow
      where there is no browser) and never sees their token. Nothing has to be registered: choose your own{' '}
      <code>client_id</code>. The endpoints are in{' '}
      <a href="/.well-known/oauth-authorization-server">/.well-known/oauth-authorization-server</a>.
    </p>
  </Section>
);

const Streams = () => (
  <Section id="streams">
    <p>
      Every event after a version, in order, then live: no gap, no repeat. A cut stream is resumed by the last version
      seen, on any instance.
    </p>
    <Code>{BY_GRAPHQL}</Code>
    <Code>{BY_REST}</Code>
    <p>
      <code>turns</code> tells of every match in which it becomes your turn, <code>lobby</code> of every table that is
      open, on both faces. A whole replay comes in one answer by <code>Match.states(from, to)</code> or{' '}
      <code>/v1/matches/$ID/states</code>.
    </p>
    <p>
      <code>EventSource</code> and <code>&lt;img&gt;</code> cannot send a token. They take a ticket in the URL, which is
      good for one purpose and a short time:
    </p>
    <Code>{BY_TICKET}</Code>
    <Doc path="docs/clients.md" />
  </Section>
);

export function DevelopersPage() {
  useEffect(() => title('Developers · Atoll'), []);
  return (
    <main class="page narrow developers" id="content">
      <h1>Build your own client or bot</h1>
      <p>
        Any program can play, watch and replay every game here without knowing a single rule: it asks for its legal
        actions and submits one. These pages use nothing but that contract.
      </p>
      <dl>
        {LINKS.map(([href, name, about]) => (
          <div key={href}>
            <dt>
              <a href={href}>{name}</a>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <nav aria-label="On this page">
        <ul>
          {SECTIONS.map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Start />
      <Authentication />
      <Errors />
      <Streams />
      <Section id="limits">
        <Doc path="docs/limits.md" />
      </Section>
      <Section id="webhooks">
        <Doc path="docs/notices.md" />
      </Section>
      <Section id="agents">
        <Doc path="docs/agents.md" />
      </Section>
      <Section id="changelog">
        <Doc path="CHANGELOG.md" />
      </Section>
    </main>
  );
}
