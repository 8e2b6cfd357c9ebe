/** The table in sentences, for those who cannot see the picture or prefer to read. */
import { keep, recall } from '../session.ts';

const KEY = 'atoll.words';

export function Words({ lines }: { lines: readonly string[] | null | undefined }) {
  if (!lines?.length) return null;
  return (
    <details
      class="words"
      open={recall<boolean>(KEY) ?? false}
      onToggle={(event) => keep(KEY, event.currentTarget.open)}
    >
      <summary>The table in words</summary>
      <ul>
        {lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
