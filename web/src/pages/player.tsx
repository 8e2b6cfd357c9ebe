/** Another player. The contract cannot find players by name yet, so this says what can be done. */
import { useEffect } from 'preact/hooks';
import { title } from '../turns.ts';

export function PlayerPage({ params }: { params: Record<string, string> }) {
  const name = params.name as string;
  useEffect(() => title(`${name} · Atoll`), [name]);
  return (
    <main class="page narrow" id="content">
      <h1>{name}</h1>
      <p>
        Profiles are not public on this server. You can <a href="/watch">watch running matches</a>, or{' '}
        <a href="/">open a table</a> and share its link.
      </p>
    </main>
  );
}
