import { type ComponentType, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LobbyPage } from './pages/lobby.tsx';
import { TablePage } from './pages/table.tsx';
import { Footer, Header } from './parts/frame.tsx';
import { route } from './route.ts';

type Params = Record<string, string>;
type Page = ComponentType<{ params: Params }>;

/** The lobby and the table are in the first script; every other page has one of its own. */
const PAGES: [RegExp, Page][] = [
  [/^\/$/, LobbyPage],
  [/^\/matches\/(?<id>[^/]+)\/?$/, TablePage],
  [/^\/games\/(?<id>[^/]+)\/?$/, later(async () => (await import('./pages/game.tsx')).GamePage)],
  [/^\/watch\/?$/, later(async () => (await import('./pages/watch.tsx')).WatchPage)],
  [/^\/account\/?$/, later(async () => (await import('./pages/account.tsx')).AccountPage)],
  [/^\/players\/(?<name>[^/]+)\/?$/, later(async () => (await import('./pages/player.tsx')).PlayerPage)],
  [/^\/developers\/?$/, later(async () => (await import('./pages/developers.tsx')).DevelopersPage)],
];

function later(load: () => Promise<Page>): Page {
  let loaded: Page | undefined;
  return function Later(props) {
    const [page, setPage] = useState<Page | undefined>(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (page) return;
      load().then(
        (found) => {
          loaded = found;
          setPage(() => found);
        },
        () => setFailed(true),
      );
    }, [page]);
    const Found = page;
    if (Found) return <Found {...props} />;
    if (!failed) return <main class="page" aria-busy="true" />;
    return (
      <main class="page narrow">
        <h1>This page could not be loaded</h1>
        <p>The server did not answer, or it was updated while you were here.</p>
        <p>
          <button type="button" class="primary" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
      </main>
    );
  };
}

export function App() {
  const { path } = route.value;
  for (const [pattern, Page] of PAGES) {
    const found = pattern.exec(path);
    if (!found) continue;
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([key, value]) => [key, decode(value as string)]),
    );
    return (
      <Fragment>
        <Header />
        <Page key={path} params={params} />
        <Footer />
      </Fragment>
    );
  }
  return (
    <Fragment>
      <Header />
      <main class="page narrow">
        <h1>There is no such page</h1>
        <p>
          The address may be misspelt. <a href="/">Go to the lobby</a>.
        </p>
      </main>
      <Footer />
    </Fragment>
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
