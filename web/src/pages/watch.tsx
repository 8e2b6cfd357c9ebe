/** Matches that are being played now, live. */
import { useEffect, useState } from 'preact/hooks';
import { ask, askUntilAnswered } from '../api.ts';
import { Events, RunningMatches, Thumbnail } from '../generated/operations.ts';
import { listen } from '../live.ts';
import { type Card, nodesOf, stateOf } from '../parts/matches.tsx';
import { Picture } from '../table/board.tsx';
import { title } from '../turns.ts';

const REFRESH_MS = 20_000;

export function WatchPage() {
  const [matches, setMatches] = useState<Card[] | null>(null);
  useEffect(() => {
    title('Watch · Atoll');
    const closing = new AbortController();
    const read = async () => {
      if (document.visibilityState === 'hidden') return;
      const answer = await askUntilAnswered(RunningMatches, {}, closing.signal).catch(() => null);
      if (answer) setMatches(nodesOf(answer.matches));
    };
    void read();
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      closing.abort();
      clearInterval(timer);
    };
  }, []);
  return (
    <main class="page" id="content">
      <h1>Being played now</h1>
      {matches?.length === 0 && (
        <p class="quiet">
          Nobody plays in public right now. <a href="/">Be the first</a>.
        </p>
      )}
      <ul class="watch" aria-busy={matches === null}>
        {(matches ?? []).map((match) => (
          <Watched key={match.id} match={match} />
        ))}
      </ul>
    </main>
  );
}

/** The shortest time between two pictures, however quickly a match is played. */
const PICTURE_MS = 2000;

function Watched({ match }: { match: Card }) {
  const [svg, setSvg] = useState<string | null>(null);
  const [version, setVersion] = useState(match.version);
  const { id } = match;
  useEffect(() => {
    const closing = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen = match.version;
    const read = () => {
      timer ??= setTimeout(
        async () => {
          const answer = await ask(Thumbnail, { id }, closing.signal).catch(() => null);
          timer = undefined;
          if (!answer?.match) return;
          setSvg(answer.match.board);
          setVersion(answer.match.version);
          if (answer.match.version < seen) read();
        },
        svg === null && seen === match.version ? 0 : PICTURE_MS,
      );
    };
    read();
    const resume = {
      id,
      get after() {
        return seen;
      },
    };
    const stop = listen(Events, resume, {
      next: ({ matchEvents }) => {
        seen = Math.max(seen, matchEvents.version);
        read();
      },
    });
    return () => {
      closing.abort();
      clearTimeout(timer);
      stop();
    };
  }, [id]);
  return (
    <li class="watched">
      <a href={`/matches/${id}`} data-version={version}>
        <div class="thumb" aria-hidden="true">
          {svg && <Picture svg={svg} />}
        </div>
        <strong>{match.game.name}</strong>
        <span>{match.seats.map(({ player }) => player?.name).join(' · ')}</span>
        <span class="quiet">{stateOf(match)}</span>
      </a>
    </li>
  );
}
