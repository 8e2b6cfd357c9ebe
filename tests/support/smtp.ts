import net, { type AddressInfo } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  headers: Record<string, string>;
  text: string;
}

export interface Mailbox extends AsyncDisposable {
  readonly url: string;
  readonly mails: ReceivedMail[];
  until(n: number): Promise<ReceivedMail[]>;
  /** The answers for the next recipients, in order. All others are accepted. */
  refuse(...answers: string[]): void;
}

/** A minimal SMTP server that accepts mail. */
export async function startSmtp(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const refusals: string[] = [];
  const sockets = new Set<net.Socket>();
  let wake = () => {};
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    let envelope = { from: '', to: [] as string[] };
    let data: string[] | undefined;
    const hear = (line: string) => {
      if (data) {
        if (line !== '.') return void data.push(line.replace(/^\./, ''));
        mails.push({ ...envelope, ...parsed(data) });
        data = undefined;
        say('250 OK');
        return wake();
      }
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'EHLO') say('250 test');
      else if (verb === 'MAIL') [envelope] = [{ from: address, to: [] }, say('250 OK')];
      else if (verb === 'RCPT') {
        const refusal = refusals.shift();
        if (!refusal) envelope.to.push(address);
        say(refusal ?? '250 OK');
      } else if (verb === 'DATA') {
        data = [];
        say('354 Go on');
      } else if (verb === 'QUIT') socket.end('221 Bye\r\n');
      else say('250 OK');
    };
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) hear(line);
    });
    say('220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async until(n) {
      while (mails.length < n) await new Promise<void>((resolve) => (wake = resolve));
      return mails;
    },
    refuse(...answers) {
      refusals.push(...answers);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parsed(lines: string[]): { headers: Record<string, string>; text: string } {
  const end = lines.indexOf('');
  const unfolded = lines.slice(0, end).join('\n').replace(/\n\s+/g, ' ').split('\n');
  const headers = Object.fromEntries(
    unfolded.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = lines.slice(end + 1).join('\n');
  return { headers, text: headers['content-transfer-encoding'] === 'quoted-printable' ? unquoted(body) : body };
}

const unquoted = (text: string): string =>
  decodeURIComponent(
    text
      .replace(/=\n/g, '')
      .replaceAll('%', '%25')
      .replace(/=([0-9A-F]{2})/g, '%$1'),
  );
