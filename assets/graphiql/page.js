// GraphiQL on our own endpoint. Subscriptions come as server-sent events, because those can carry the token.

const PLACEHOLDER = '{\n  "authorization": "Bearer <token>"\n}';

function isSubscription(params, documentAST) {
  const operations = documentAST?.definitions.filter((d) => d.kind === 'OperationDefinition') ?? [];
  const chosen = operations.find((o) => !params.operationName || o.name?.value === params.operationName);
  return chosen?.operation === 'subscription';
}

function send(params, headers, accept, signal) {
  const given = Object.entries(headers ?? {}).filter(([, value]) => !String(value).includes('<token>'));
  return fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...Object.fromEntries(given) },
    body: JSON.stringify(params),
    signal,
  });
}

async function* results(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield await response.json();
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events) {
      if (event.startsWith('event: complete')) return;
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) yield JSON.parse(data.slice('data: '.length));
    }
  }
}

/** Ends the request too when GraphiQL stops listening. */
function subscribe(params, headers) {
  const controller = new AbortController();
  const source = (async function* () {
    yield* results(await send(params, headers, 'text/event-stream', controller.signal));
  })();
  return {
    next: () => source.next().catch((error) => (controller.signal.aborted ? { done: true } : Promise.reject(error))),
    return: () => {
      controller.abort();
      return Promise.resolve({ done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function fetcher(params, { headers, documentAST } = {}) {
  if (isSubscription(params, documentAST)) return subscribe(params, headers);
  const answer = await (
    await send(params, headers, 'application/graphql-response+json, application/json;q=0.9')
  ).json();
  fillIn(answer.data, params.variables);
  return answer;
}

/** What the examples hand on from one to the next. */
function fillIn(data, variables) {
  const next = {};
  const text = (value) => JSON.stringify(value, null, 2);
  if (data?.register?.token) next.headers = text({ authorization: `Bearer ${data.register.token}` });
  if (data?.createMatch?.id) next.variables = text({ match: data.createMatch.id });
  const [first] = data?.match?.legalActions ?? [];
  if (first?.action && variables?.match && data.match.version)
    next.variables = text({ match: variables.match, version: data.match.version, action: first.action });
  if (Object.keys(next).length > 0) show(next);
}

const defaultQuery = await (await fetch('/graphiql/example.graphql')).text();
const { React, ReactDOM, GraphiQL } = globalThis;
const root = ReactDOM.createRoot(document.getElementById('graphiql'));
let filled = {};

function show(more = {}) {
  filled = { ...filled, ...more };
  root.render(
    React.createElement(GraphiQL, {
      fetcher,
      defaultQuery,
      defaultHeaders: PLACEHOLDER,
      defaultEditorToolsVisibility: 'headers',
      shouldPersistHeaders: true,
      ...filled,
    }),
  );
}

show();
