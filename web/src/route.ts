/** The address as a signal, which decides the page that is shown. */
import { signal } from '@preact/signals';

export interface Route {
  path: string;
  query: URLSearchParams;
}

const here = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const route = signal<Route>(here());

export function go(to: string, { replace = false } = {}): void {
  const before = location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  route.value = here();
  if (location.pathname !== before) scrollTo(0, 0);
}

addEventListener('popstate', () => {
  route.value = here();
});

/** Pages of the server that this client does not render. */
const ELSEWHERE = /^\/(docs|graphiql|v1|oauth|\.well-known|health|metrics|schema\.graphql|openapi\.json)(\/|$)/;

addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (ELSEWHERE.test(link.pathname)) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
