const JSON_TYPE = 'application/json';

/**
 * The media type among these that the caller prefers, or the first one if it does not care; undefined if it accepts
 * none.
 */
export function negotiate(accept: string | undefined, types: readonly string[]): string | undefined {
  if (!accept || accept === '*/*') return JSON_TYPE;
  if (types.includes(accept)) return accept;
  const wanted = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...params] = range.split(';').map((s) => s.trim());
    const q = params.find((p) => p.startsWith('q='))?.slice(2);
    wanted.set(type, q === undefined ? 1 : Number(q) || 0);
  }
  const weight = (type: string) => wanted.get(type) ?? 0;
  const best = types.reduce((x, y) => (weight(y) > weight(x) ? y : x));
  if (weight(best) > 0) return best;
  return weight('*/*') > 0 || weight('application/*') > 0 ? JSON_TYPE : undefined;
}
