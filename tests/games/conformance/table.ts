/** What a person sees: pictures with targets, sentences and effects. */
import { SaxesParser } from 'saxes';
import type { Validator } from 'typebox/compile';
import { canonical } from '../../../src/games/canonical.ts';
import type { Effect, Game, Scene, Seat } from '../../../src/games/game.ts';
import { isPlainJson } from '../../../src/games/play.ts';
import { Broken, must, saysSomething } from './must.ts';

/** Short enough to stand in every picture as they are. */
const NAMES = ['Tui', 'Ana', 'Kai', 'Noa', 'Lea'];
/** Awkward names that people choose, and a seat that nobody has. */
const STRANGE_NAMES = [
  '<b>"&"</b>',
  '北海道の長い名前を持つ人である私はここにいて遊んでいますよ',
  null,
  '👩‍👩‍👧‍👦👩‍👩‍👧‍👦 عربي',
  "Robert'); DROP TABLE",
];

/** Every third scene has strange names, every second one is for a phone. */
export const sceneInTurn = (turn: number, seats: number): Pick<Scene, 'names' | 'width'> => ({
  names: (turn % 3 === 0 ? STRANGE_NAMES : NAMES).slice(0, seats),
  width: turn % 2 === 0 ? 'WIDE' : 'NARROW',
});

/** An id of an element must not have white space, and needs no escapes. */
const TARGET = /^[^\s"&<>]+$/;

/** The actions of a list differ in their targets, and targets can be shown to spectators. */
export function checkTargets(game: Game, state: object, seat: Seat, list: readonly object[]): void {
  for (const eyes of [seat, null]) {
    const view = game.view(state, eyes);
    const sets = list.map((action) => game.targets(action, view));
    for (const [i, set] of sets.entries()) {
      const sound = set.length > 0 && set.every((name) => TARGET.test(name)) && new Set(set).size === set.length;
      if (!sound)
        throw new Broken(`an action has targets without white space, each once: ${canonical(list[i])} ${set}`);
    }
    if (eyes === null) continue;
    const keys = sets.map((set) => [...set].sort().join(' '));
    const twice = keys.find((key, i) => keys.indexOf(key) !== i);
    if (twice !== undefined) throw new Broken(`no two actions of a list have the same targets: ${twice}`);
  }
}

interface Drawn {
  ids: string[];
  targets: Set<string>;
  untitled: string[];
  words: string;
}

/** What is in a picture, which must be well-formed XML. */
function parse(svg: string): Drawn {
  const drawn: Drawn = { ids: [], targets: new Set(), untitled: [], words: '' };
  const open: { target: string | undefined; titled: boolean }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new Broken(`the picture is well-formed XML: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const { id, 'data-target': target } = attributes;
    if (id !== undefined) drawn.ids.push(id);
    if (target !== undefined) drawn.targets.add(target);
    const around = open.at(-1);
    if (name === 'title' && around) around.titled = true;
    open.push({ target, titled: false });
  });
  parser.on('closetag', () => {
    const { target, titled } = open.pop() as (typeof open)[number];
    if (target !== undefined && !titled) drawn.untitled.push(target);
  });
  parser.on('text', (text) => {
    drawn.words += `${text}\n`;
  });
  parser.write(svg).close();
  return drawn;
}

export function checkPicture(svg: string, scene: Scene | undefined): void {
  const { ids, targets, untitled, words } = parse(svg);
  must(svg.startsWith('<svg '), 'the picture is an <svg> element');
  must(saysSomething(svg), 'the picture shows no undefined, NaN or [object Object]');
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Broken(`ids are unique within a picture: ${twice}`);
  if (untitled.length > 0) throw new Broken(`every target in a picture has a title: ${untitled}`);
  if (!scene) return;
  const missing = scene.legal.filter((target) => !targets.has(target));
  if (missing.length > 0) throw new Broken(`every legal target is in the ${scene.width} picture: ${missing} is not`);
  if (scene.names[0] !== NAMES[0]) return;
  const unnamed = scene.names.filter((name) => !words.includes(name as string));
  if (unnamed.length > 0) throw new Broken(`the ${scene.width} picture names the players: ${unnamed} is not there`);
}

/** A listener cannot keep more in mind. */
const LONGEST_SENTENCE = 300;

export function checkDescription(sentences: readonly string[]): void {
  must(sentences.length > 0, 'a table is described by at least one sentence');
  const slip = sentences.find((sentence) => !saysSomething(sentence) || sentence.length > LONGEST_SENTENCE);
  if (slip !== undefined) throw new Broken(`every sentence says something, and not too much: ${slip}`);
}

/** What an action told fits the schema and can be put into words. */
export function checkEffects(game: Game, isEffect: Validator | null, effects: readonly Effect[]): void {
  for (const effect of effects) {
    must(
      isEffect !== null && game.explain !== undefined,
      'a game that tells effects has their schema and explains them',
    );
    must(isPlainJson(effect), 'an effect is plain JSON');
    if (!isEffect.Check(effect)) throw new Broken(`the effect ${canonical(effect)} fits the effect schema`);
    const text = game.explain(effect);
    if (!saysSomething(text)) throw new Broken(`the effect ${canonical(effect)} is explained, not by "${text}"`);
  }
}
