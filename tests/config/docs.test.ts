/** What the documentation refers to exists: files, headings, commands, rulings, dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('generated'))
    .map((name) => join(folder, name));

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'packages/client/README.md'],
  ...filesBelow('docs', '.md'),
];
const packageJson = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

/** The anchors that a Markdown page offers: its headings, spelled as code hosts do. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
  const missing = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path, anchor] = link.split('#', 2) as [string, string | undefined];
    const file = path ? join(dirname(page), path) : page;
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  expect(missing).toEqual([]);
});

it.each(pages)('every npm script that %s names exists', (page) => {
  const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] as string);
  expect(named.filter((name) => !(name in (packageJson.scripts ?? {})))).toEqual([]);
});

it('the README has at most 120 lines', () => {
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
