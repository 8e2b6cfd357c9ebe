/** Pages of lists, in the form of Relay's connections. */

export interface PageInput {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Whether there are items on the other side of the page is looked up only if the operation asks for it. */
export interface LazyPageInfo {
  hasNextPage: boolean | (() => Promise<boolean>);
  hasPreviousPage: boolean | (() => Promise<boolean>);
  startCursor: string | null;
  endCursor: string | null;
}

export interface Connection<T> {
  edges: { cursor: string; node: T }[];
  pageInfo: LazyPageInfo;
}

/** `more` says whether there are items beyond the page: after it or, with `last`, before it. */
export type Fetch<T> = (page: PageInput) => Promise<{ items: T[]; more: boolean }>;

export async function connectionOf<T>(
  page: PageInput,
  cursorOf: (item: T) => string,
  fetch: Fetch<T>,
): Promise<Connection<T>> {
  const { items, more } = await fetch(page);
  const edges = items.map((node) => ({ cursor: cursorOf(node), node }));
  const startCursor = edges[0]?.cursor ?? null;
  const endCursor = edges.at(-1)?.cursor ?? null;
  const isFromEnd = page.last !== null && page.last !== undefined;
  const exists = async (other: PageInput) => (await fetch(other)).items.length > 0;
  const inFront = () => exists(startCursor ? { last: 1, before: startCursor } : { first: 1 });
  const behind = () => exists(endCursor ? { first: 1, after: endCursor } : { last: 1 });
  return {
    edges,
    pageInfo: {
      hasNextPage: (!isFromEnd && more) || (page.before ? behind : false),
      hasPreviousPage: (isFromEnd && more) || (page.after ? inFront : false),
      startCursor,
      endCursor,
    },
  };
}
