/** A day as people say it. */
export const dayOf = (instant: string): string =>
  new Date(instant).toLocaleDateString(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
