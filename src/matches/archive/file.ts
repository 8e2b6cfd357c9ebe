/**
 * The log of an ended match as one compressed file. Its first line is the document of which exports are made, which
 * proves the match by itself. Then follows one line for each event, with what the document leaves out: ids of players
 * and actions, labels, targets. It does not contain names of players, so that an account can be deleted.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256, toHex } from '../../crypto.ts';
import { timeOf } from '../../id.ts';
import { inSlices } from '../../turns.ts';
import { shaped } from '../log/events.ts';
import type { LoggedEvent, Match } from '../log/records.ts';
import { documentOf, numbered, playersOf, textOf } from '../proof/document.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface ArchiveFile {
  name: string;
  bytes: Buffer;
  digest: Uint8Array;
}

/** Equal matches make equal files, and different ones have different names, so that no file is ever overwritten. */
export async function packed(match: Match): Promise<ArchiveFile> {
  const lines = match.events.map((event) => `${JSON.stringify(event)}\n`);
  const bytes = await compress(documentText(match) + lines.join(''), { level: 9 });
  const digest = sha256(bytes);
  const day = new Date(timeOf(match.id)).toISOString().slice(0, 10);
  return { name: `${day}/${match.id}.${toHex(digest).slice(0, 16)}.jsonl.gz`, bytes, digest };
}

export const documentText = (match: Match): string => textOf(documentOf(match, numbered(playersOf(match))));

/** The text of the document in an archived file. */
export const documentIn = async (bytes: Uint8Array): Promise<string> => {
  const text = (await decompress(bytes)).toString();
  return text.slice(0, text.indexOf('\n') + 1);
};

/** The events of a file whose digest has been checked. */
export async function eventsIn(bytes: Uint8Array, who: string): Promise<LoggedEvent[]> {
  return inSlices(parsing((await decompress(bytes)).toString()), who);
}

function* parsing(text: string): Generator<void, LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let from = text.indexOf('\n') + 1; from < text.length; ) {
    const to = text.indexOf('\n', from);
    const { at, ...row } = JSON.parse(text.slice(from, to)) as Omit<LoggedEvent, 'at'> & { at: string };
    events.push(shaped({ ...row, at: new Date(at) }));
    from = to + 1;
    yield;
  }
  return events;
}
