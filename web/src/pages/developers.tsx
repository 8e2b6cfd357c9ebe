/** For those who write clients and bots. */
import { useEffect } from 'preact/hooks';
import { title } from '../turns.ts';

const EXAMPLE = `JSON='content-type: application/json'

# 1. a player: the answer holds its token, this once
curl -s ${location.origin}/v1/players -H "$JSON" -d '{"name":"Tui"}'
AUTH="authorization: Bearer $TOKEN"

# 2. a match with a bot: the answer holds its id
curl -s ${location.origin}/v1/matches -H "$AUTH" -H "$JSON" \\
     -d '{"game":"cacao","seats":2,"bots":["EASY"]}'

# 3. what you may do
curl -s ${location.origin}/v1/matches/$ID/legal-actions -H "$AUTH"

# 4. do one of these
curl -s ${location.origin}/v1/matches/$ID/actions -H "$AUTH" -H "$JSON" \\
     -d '{"action":{ … }}'`;

const LINKS = [
  ['/graphiql', 'GraphiQL', 'try the GraphQL API in the browser, with examples'],
  ['/docs', 'REST reference', 'try the REST API in the browser'],
  ['/schema.graphql', 'schema.graphql', 'the GraphQL contract'],
  ['/openapi.json', 'openapi.json', 'the REST contract, OpenAPI 3.1'],
  ['/health/ready', 'Health', 'whether all is well'],
] as const;

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
      <h2>Four steps to a first match against the machine</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{EXAMPLE}</pre>
    </main>
  );
}
