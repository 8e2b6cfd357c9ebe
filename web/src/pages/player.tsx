/** The profile of another player, with the matches that the player shows. */
import { useEffect, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { type PlayerPageQuery, PlayerPage as PlayerQuestion, PlayerSearch } from '../generated/operations.ts';
import { type Card, MatchRow, nodesOf, profileOf, shown } from '../parts/matches.tsx';
import { ReportButton } from '../parts/report.tsx';
import { go } from '../route.ts';
import { session } from '../session.ts';
import { title } from '../turns.ts';

type Found = NonNullable<PlayerPageQuery['player']>;

export function PlayerPage({ params }: { params: Record<string, string> }) {
  const name = params.name as string;
  const [answer, setAnswer] = useState<PlayerPageQuery | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    title(`${name} · Atoll`);
    const closing = new AbortController();
    ask(PlayerQuestion, { name }, closing.signal).then(setAnswer, (failure) => {
      if (!closing.signal.aborted) setError(sentence(failure));
    });
    return () => closing.abort();
  }, [name]);
  return (
    <main class="page narrow profile" id="content" aria-busy={answer === null}>
      {answer?.player ? <Profile player={answer.player} /> : <h1>{name}</h1>}
      {error && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      {answer && !answer.player && <Unknown name={name} />}
      <Search />
    </main>
  );
}

function Profile({ player }: { player: Found }) {
  const { hasNextPage, endCursor } = player.matches.pageInfo;
  const [matches, setMatches] = useState<Card[]>(nodesOf(player.matches));
  const [next, setNext] = useState(hasNextPage ? endCursor : null);
  const isOwn = session.value?.id === player.id;
  const more = async () => {
    const { player: found } = await ask(PlayerQuestion, { name: shown(player), after: next });
    if (!found) return;
    setMatches([...matches, ...nodesOf(found.matches)]);
    setNext(found.matches.pageInfo.hasNextPage ? found.matches.pageInfo.endCursor : null);
  };
  return (
    <>
      <h1>
        {player.name} {player.tag && <small>#{player.tag}</small>}
      </h1>
      <p class="quiet">{player.kind === 'BOT' ? 'A bot of this server.' : isOwn ? 'This is you.' : 'A player.'}</p>
      <div class="buttons small">
        {isOwn && (
          <a class="button" href="/account">
            Choose what others see
          </a>
        )}
        {!isOwn && session.value && player.kind === 'HUMAN' && (
          <ReportButton players={[{ id: player.id, name: shown(player) }]} />
        )}
      </div>
      <h2>Matches</h2>
      {matches.length === 0 ? (
        <p class="quiet">There are none that you may see.</p>
      ) : (
        <ul class="matches">
          {matches.map((match) => (
            <MatchRow key={match.id} match={match} />
          ))}
        </ul>
      )}
      {next && (
        <button type="button" onClick={() => void more()}>
          Older matches
        </button>
      )}
    </>
  );
}

type Namesake = { id: string; name: string; tag: string | null };

function Unknown({ name }: { name: string }) {
  const [others, setOthers] = useState<Namesake[]>([]);
  useEffect(() => {
    const [plain = name] = name.split('#');
    ask(PlayerSearch, { search: plain.trim() }).then(
      ({ players }) => setOthers(nodesOf(players)),
      () => {}, // the banner shows it
    );
  }, [name]);
  return (
    <>
      <p>
        {others.length > 0
          ? 'Several players have a name like this. Which one do you mean?'
          : 'There is no player of this name, or the player does not want to be found by it.'}
      </p>
      <Names players={others} />
    </>
  );
}

const Names = ({ players }: { players: readonly Namesake[] }) => (
  <ul class="names">
    {players.map((player) => (
      <li key={player.id}>
        <a href={profileOf(player)}>{shown(player)}</a>
      </li>
    ))}
  </ul>
);

function Search() {
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<Namesake[] | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const { players } = await ask(PlayerSearch, { search: search.trim() });
    const list = nodesOf(players);
    const [only] = list;
    if (only && list.length === 1) go(profileOf(only));
    else setFound(list);
  };
  return (
    <section>
      <h2>Find a player</h2>
      <form class="inline" onSubmit={(event) => void submit(event).catch(() => setFound([]))}>
        <label class="field">
          <span>How the name begins</span>
          <input
            name="search"
            maxLength={60}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Search</button>
      </form>
      {found && (found.length > 0 ? <Names players={found} /> : <p class="quiet">Nobody was found.</p>)}
    </section>
  );
}
