import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run, UsageError } from './cli.ts';

const HELP = `
Begins a new game: writes a folder with a complete small game, to be filled in with the rules of the real one, and adds
it to the registry. It passes every check from the start, so that each step of yours can be tested.

  npm run new-game -- <id> [options]

  <id>            small letters and digits, beginning with a letter, up to 20: "senet"
  --name <name>   what people call it (the id with a capital letter)

docs/adding-a-game.md says what to do then, step by step.
`;

/** A complete game, checked and tested like any other, from which new games are copied. */
const TEMPLATE = new URL('./new-game/', import.meta.url);
const RULES = 'rules.md';
const TEST = 'rules.test.ts';
const REGISTRY = 'src/games/registry.ts';

/** Words that cannot name a constant, and the file that every game imports. */
const RESERVED =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|game|registry)$/;

await run(HELP, () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } });
  const [id, more] = positionals;
  if (id === undefined || more !== undefined) throw new UsageError('Name one new game by its id');
  if (!/^[a-z][a-z0-9]{0,19}$/.test(id) || RESERVED.test(id))
    throw new UsageError(
      `"${id}" cannot be an id: it takes small letters and digits, beginning with a letter, up to 20`,
    );
  const name = (values.name ?? `${id[0]?.toUpperCase()}${id.slice(1)}`).trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .,!&-]{0,39}$/u.test(name))
    throw new UsageError('A name has letters, digits, spaces and .,!&- and is up to 40 characters long');
  const registry = registered(readFileSync(REGISTRY, 'utf8'), id);
  const written = writeGame(id, name);
  writeFileSync(REGISTRY, registry);
  console.log(
    `${[...written, REGISTRY].join('\n')}\n\nNow: npm run golden && npm run record, then docs/adding-a-game.md`,
  );
});

/** Writes the files of the new game and returns their paths. */
function writeGame(id: string, name: string): string[] {
  const files = readdirSync(TEMPLATE).sort();
  const placeOf = (file: string) => {
    if (file === RULES) return `docs/rules/${id}.md`;
    return file === TEST ? `tests/games/${id}/${file}` : `src/games/${id}/${file}`;
  };
  const taken = [`src/games/${id}`, ...files.map(placeOf)].find(existsSync);
  if (taken !== undefined) throw new UsageError(`There is a game "${id}" already: ${taken} exists`);
  for (const file of files) {
    const path = placeOf(file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, filledIn(readFileSync(new URL(file, TEMPLATE), 'utf8'), file === TEST, id, name));
  }
  return files.map(placeOf);
}

/** Turns a file of the template into one of the new game, with its names and with imports that fit its place. */
function filledIn(text: string, isTest: boolean, id: string, name: string): string {
  return text
    .replaceAll("'../../src/games/", isTest ? "'../../../src/games/" : "'../")
    .replaceAll("'./index.ts'", isTest ? `'../../../src/games/${id}/index.ts'` : "'./index.ts'")
    .replaceAll(/\btemplate\b/g, id)
    .replaceAll(/\bTemplate\b/g, name);
}

/** The registry with one more game at the end of its list. */
function registered(text: string, id: string): string {
  const imports = text.split('\n').filter((line) => line.startsWith('import '));
  const line = `import { ${id} } from './${id}/index.ts';`;
  const pathOf = (one: string) => one.split(' from ')[1] ?? '';
  const before = imports.findLast((one) => pathOf(one) < pathOf(line));
  const list = /(registryOf\(\[[^\]]*)\]\)/;
  if (!before || !list.test(text)) throw new UsageError(`${REGISTRY} does not look as expected: add the game by hand`);
  return text.replace(before, `${before}\n${line}`).replace(list, `$1, ${id}])`);
}
