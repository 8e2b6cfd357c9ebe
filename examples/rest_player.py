"""A player that knows no rules. It uses REST and event streams, and only Python's standard library.

  python3 examples/rest_player.py                          opens a match of the first game and waits for others
  python3 examples/rest_player.py --match <id>             joins that match
  python3 examples/rest_player.py --game hashi --seats 3   opens that one
"""
import argparse, hashlib, http.client, json, random, secrets, time, urllib.error, urllib.request, uuid

parser = argparse.ArgumentParser()
parser.add_argument('--url', default='http://localhost:4000')
for option, kind, default in [('match', str, None), ('game', str, None), ('seats', int, None), ('name', str, 'Python')]:
    parser.add_argument('--' + option, type=kind, default=default)
args = parser.parse_args()
token = None
CUT = (OSError, ValueError, http.client.HTTPException)  # the outcome is unknown


class Refusal(Exception):
    """A refusal of the server, with the problem that it answered."""


def send(method, path, body=None, headers={}):
    """One attempt: the open response, a Refusal, or one of CUT."""
    data = None if body is None else json.dumps(body).encode()
    headers = {**headers, 'content-type': 'application/json'} if data else dict(headers)
    request = urllib.request.Request(args.url + '/v1' + path, data, headers, method=method)
    if token:
        request.add_header('authorization', 'Bearer ' + token)
    try:
        return urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        if error.code != 429 and error.code < 500:
            raise Refusal(json.load(error))
        time.sleep(float(error.headers.get('retry-after') or 0))
        raise OSError(error.code)


def call(method, path, body=None):
    """Repeats a request until it is answered. With its key, it takes effect only once."""
    headers = {'idempotency-key': str(uuid.uuid4())} if method == 'POST' else {}
    for attempt in range(60):
        try:
            with send(method, path, body, headers) as response:
                return json.load(response)
        except CUT:
            time.sleep(min(5, 0.25 * 2 ** attempt) * random.uniform(0.5, 1))
    raise SystemExit('No answer from ' + args.url)


def events(path, last=0):
    """The events of a match as they come, over as many connections as necessary."""
    while True:
        headers = {'accept': 'text/event-stream', 'last-event-id': str(last)}
        try:
            with send('GET', path + '/events', headers=headers) as response:
                if response.status == 204:
                    return  # the match is over
                for line in response:
                    field, _, value = line.decode().rstrip('\n').partition(': ')
                    if field == 'id':
                        last = int(value)
                    elif field == 'data' and value != '{}':
                        yield json.loads(value)
        except CUT:
            pass
        time.sleep(random.uniform(0.2, 0.5))  # the next connection continues after the last event


def act(path):
    position = call('GET', path + '/legal-actions')
    if not position['legalActions']:
        return
    choice = random.choice(position['legalActions'])
    try:
        receipt = call('POST', path + '/actions', {'action': choice['action'], 'expectedVersion': position['version']})
        print(receipt['version'], '', choice['label'], flush=True)
    except Refusal as refusal:  # the position was old: an event will tell when to decide again
        if refusal.args[0].get('code') not in ('STALE_VERSION', 'NOT_YOUR_TURN', 'MATCH_OVER'):
            raise


token = call('POST', '/players', {'name': args.name})['token']
entropy = secrets.token_hex(16)  # our part of the seed, so that nobody else can have chosen the shuffle
games = call('GET', '/games')['games']
game = next(game for game in games if game['id'] == (args.game or games[0]['id']))
new = {'game': game['id'], 'seats': args.seats or game['minSeats'], 'entropy': entropy}
join = (f'/matches/{args.match}/seats', {'entropy': entropy})
match = call('POST', *(join if args.match else ('/matches', new)))
path, seat, commitment = '/matches/' + match['id'], match['mySeat'], match['commitment']
print(f"match {match['id']}\nsaved for atoll verify: --commitment {commitment} --entropy {entropy}", flush=True)
for event in events(path):
    if seat in event.get('acting', []):  # a message `cut` (events were lost) has none, and the stream begins again
        act(path)
document = call('GET', path + '/export')
promised = hashlib.sha256(bytes.fromhex(document['serverSeed'])).hexdigest() == commitment
if not (promised and any(event['entropy'] == entropy for event in document['events'])):
    raise SystemExit('The seed is not the one that was promised when we sat down')
print('The seed is the one that was promised, and our entropy is in it.')
scores, ranks = document['result']['scores'], document['result']['ranks']
print(f"{document['status']}: seat {seat} has {scores[seat]} points, rank {ranks[seat]}")
