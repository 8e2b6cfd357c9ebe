/** What the documentation points at is there: files, commands, rulings, dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('generated'))
    .map((name) => join(folder, name));

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesBelow('docs', '.md')];
const packageJson = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

it.each(pages)('every link of %s leads somewhere', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(
    (match) => (match[1] as string).split('#', 1)[0] ?? '',
  );
  const missing = links.filter((link) => link && !/^[a-z]+:/.test(link) && !existsSync(join(dirname(page), link)));
  expect(missing).toEqual([]);
});

it.each(pages)('every npm script that %s names exists', (page) => {
  const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] as string);
  expect(named.filter((name) => !(name in (packageJson.scripts ?? {})))).toEqual([]);
});

it('the README fits into a sitting', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});

it('every dependency is named with its reason', () => {
  const page = read('docs/dependencies.md');
  const named = (name: string) =>
    page.includes(name) || [...page.matchAll(/(@[\w-]+\/)\*/g)].some(([, scope]) => name.startsWith(scope as string));
  const all = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
    Object.keys(packageJson[kind] ?? {}),
  );
  expect(all.filter((name) => !name.startsWith('@types/') && !named(name))).toEqual([]);
});

describe.each(readdirSync('docs/rules').map((file) => file.replace('.md', '')))('the rules of %s', (game) => {
  it('have every ruling that the code cites', () => {
    const rulings = new Set([...read(`docs/rules/${game}.md`).matchAll(/\bR(\d+)\b/g)].map((match) => match[1]));
    const sources = [...filesBelow(`src/games/${game}`, '.ts'), ...filesBelow(`tests/games/${game}`, '.ts')];
    const cited = sources.flatMap((file) =>
      [...read(file).matchAll(/\bR(\d+)\b|\brulings? (\d+)\b/g)].map((match) => ({
        file,
        ruling: match[1] ?? match[2],
      })),
    );
    expect(cited.filter(({ ruling }) => !rulings.has(ruling))).toEqual([]);
  });
});
