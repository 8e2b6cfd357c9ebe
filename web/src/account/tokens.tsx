/** What else may act for the account: third-party apps, and the tokens of programs. */
import { useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { type AccountQuery, CreateToken, RevokeApp, RevokeToken, type Scope } from '../generated/operations.ts';
import { CopyLink } from '../parts/copy.tsx';
import { TaskButton } from './form.tsx';
import { dayOf } from './when.ts';

type Me = NonNullable<AccountQuery['me']>;

/** What each scope allows, in a few words. */
const SCOPES: Record<Scope, string> = {
  READ: 'see',
  PLAY: 'play',
  CREATE: 'open matches',
  NOTICES: 'change notices',
  ACCOUNT: 'change the account',
};
const ALL = Object.keys(SCOPES) as Scope[];

const allows = (scopes: readonly Scope[]): string =>
  scopes.length === ALL.length ? 'may do everything' : `may ${scopes.map((scope) => SCOPES[scope]).join(', ')}`;

interface Used {
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

function usedText({ lastUsedAt, lastUsedFrom }: Used): string {
  if (!lastUsedAt) return 'not used yet';
  const from = lastUsedFrom ? ` by ${lastUsedFrom === 'IPV6' ? 'IPv6' : 'IPv4'}` : '';
  return `last used ${dayOf(lastUsedAt)}${from}`;
}

interface TokensProps {
  me: Me;
  onChange(): Promise<unknown>;
}

export function Apps({ me: { apps }, onChange }: TokensProps) {
  if (apps.length === 0) return null;
  return (
    <section>
      <h2>Apps that may act for you</h2>
      <ul class="tokens" data-apps>
        {apps.map((app) => (
          <li key={app.id}>
            <span>
              {app.name}{' '}
              <small>
                {allows(app.scopes)}; {usedText(app)}; ends if not used until {dayOf(app.expiresAt)}
              </small>
            </span>
            <TaskButton
              label="Take back"
              onClick={async () => {
                await ask(RevokeApp, { id: app.id });
                await onChange();
              }}
              sentence={sentence}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const isLive = ({ revokedAt, expiresAt }: Me['tokens'][number]): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

export function Tokens({ me: { tokens }, onChange }: TokensProps) {
  const live = tokens.filter(isLive);
  return (
    <section>
      <h2>Keys of programs</h2>
      <ul class="tokens" data-tokens>
        {live.map((token) => (
          <li key={token.id}>
            <span>
              {token.name}{' '}
              <small>
                {allows(token.scopes)}; {usedText(token)}
                {token.expiresAt && `; until ${dayOf(token.expiresAt)}`}
              </small>
            </span>
            <TaskButton
              label="End"
              onClick={async () => {
                await ask(RevokeToken, { id: token.id });
                await onChange();
              }}
              sentence={sentence}
            />
          </li>
        ))}
      </ul>
      <NewToken onChange={onChange} />
    </section>
  );
}

const DAYS: [days: string, words: string][] = [
  ['30', '30 days'],
  ['365', 'a year'],
  ['', 'until I end it'],
];

function NewToken({ onChange }: Pick<TokensProps, 'onChange'>) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['READ', 'PLAY']);
  const [days, setDays] = useState('30');
  const [made, setMade] = useState<string | null>(null);
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  const make = async () => {
    const expiresAt = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;
    const { createToken } = await ask(CreateToken, { name, scopes, expiresAt });
    setMade(createToken.token);
    setName('');
    await onChange();
  };
  return (
    <details>
      <summary>Make a key for a program</summary>
      <label class="field">
        <span>Name of the key</span>
        <input name="token-name" maxLength={40} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <fieldset>
        <legend>It may</legend>
        {ALL.map((scope) => (
          <label key={scope} class="check">
            <input type="checkbox" name={scope} checked={scopes.includes(scope)} onChange={() => toggle(scope)} />{' '}
            {SCOPES[scope]}
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>It lasts</span>
        <select value={days} onChange={(event) => setDays(event.currentTarget.value)}>
          {DAYS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <TaskButton label="Make the key" hook="make-token" onClick={make} sentence={sentence} />
      {made && <CopyLink link={made} label="The key. It is shown only once. Anyone who has it can act for you." />}
    </details>
  );
}
