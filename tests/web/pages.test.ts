/** Replays, proofs, and the obligations of every page: nothing from other hosts, small, accessible. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../src/games/game.ts';
import { registry } from '../../src/games/registry.ts';
import { randomMatch } from '../../tools/random-match.ts';
import { sceneOf } from '../../tools/scene.ts';
import { rest } from '../support/api-rest.ts';
import { newMember } from '../support/world.ts';
import { myTurn, PHONE, playByTargets, READABLE, sitDown, site, smallestText, stateOf, WIDE } from './browser.ts';

const web = site();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe;
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string }[];
    }
    const { violations } = await run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

const NAMES = ['Moana', 'Easy bot', 'Christopher', 'Łukasz', 'Wilhelmina'];

/** Of every game with the fewest seats that play each other and with the most: the middle of a match and its end. */
const matches = registry.games.flatMap((game) =>
  [...new Set([Math.max(2, game.seats.min), game.seats.max])].map((seats) => {
    const match = randomMatch(game, Object.values(game.variants)[0] as object, seats, 3);
    const states: object[] = [];
    let next = match.next();
    for (; !next.done; next = match.next()) states.push(next.value.state);
    return { game, seats, states: [states[Math.floor(states.length / 2)] as object, next.value] };
  }),
);

function pictures(width: Scene['width']): [name: string, svg: string][] {
  return matches.flatMap(({ game, seats, states }) =>
    states.map((state, i): [string, string] => {
      const look = { state, seats, eyes: 0, step: undefined };
      const scene = sceneOf(game, look, { width, names: NAMES.slice(0, seats) });
      return [`${game.id} of ${seats}, ${i === 0 ? 'middle' : 'end'}`, game.svg(game.view(state, 0), scene)];
    }),
  );
}

/** Shows another picture on the table, as the page would. */
const showPicture = (page: Page, svg: string) =>
  page.evaluate((picture) => {
    const drawn = new DOMParser().parseFromString(picture, 'image/svg+xml').documentElement as unknown as SVGSVGElement;
    const { width, height } = drawn.viewBox.baseVal;
    drawn.style.setProperty('--ratio', String(width / height));
    document.querySelector('[data-board]')?.replaceChildren(drawn);
  }, svg);

interface Read {
  role: string;
  name: string;
}

/** The accessibility tree of a page, as a screen reader reads it. */
async function readOut(page: Page): Promise<Read[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '') }));
}

/** The board with the things on it that can be chosen, the question, and after them the list of all actions. */
async function expectReadable(page: Page, game: string): Promise<void> {
  const tree = await readOut(page);
  const at = (role: string, name: RegExp) => tree.findIndex((one) => one.role === role && name.test(one.name));
  const { name } = registry.game(game);
  expect(at('heading', new RegExp(`^${name}: Moana, Easy bot$`))).toBeGreaterThan(-1);
  const [board, list] = [at('group', new RegExp(`^${name},`)), at('heading', /^Actions/)];
  expect(board).toBeGreaterThan(-1);
  expect(list).toBeGreaterThan(board);
  const buttons = (from: number, to?: number) => tree.slice(from, to).filter(({ role }) => role === 'button');
  const legal = await page.locator('[data-board] [data-legal]').count();
  expect(buttons(board, list).length).toBeGreaterThanOrEqual(legal);
  // Each has a readable name, and none is named by the code of its target.
  expect(buttons(board, list).filter(({ name }) => name === '' || /^[a-z]+:\S/.test(name))).toEqual([]);
  expect(buttons(list).length).toBeGreaterThan(await page.locator('[data-actions] button').count());
  expect(tree.some(({ role, name }) => role === 'StaticText' && name.startsWith('Your turn: '))).toBe(true);
  await expect.poll(() => page.locator('.prompt[role=status][aria-live=polite]').count()).toBe(1);
}

async function finishedMatch(page: Page): Promise<void> {
  await sitDown(page, 'cacao');
  await playByTargets(page, 6);
  await page.click('.tools button:has-text("Resign")');
  await page.click('dialog button.danger');
  await page.waitForSelector('main[data-status=FINISHED]');
}

/** Moves the slider to each of these versions, and waits until their picture is seen. */
async function scrub(page: Page, boards: [number, string][]): Promise<void> {
  await page.evaluate(async (wanted) => {
    const slider = document.querySelector('[data-scrubber]') as HTMLInputElement;
    const wordsOf = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement.textContent;
    for (const [at, svg] of wanted) {
      slider.value = String(at);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      const words = wordsOf(svg);
      const end = performance.now() + 30_000;
      while (document.querySelector('[data-board] svg')?.textContent !== words) {
        if (performance.now() > end) throw new Error(`the picture of version ${at} does not come`);
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
    }
  }, boards);
}

describe('a finished match', () => {
  it('is replayed by slider, step, log and address, and through other eyes', async () => {
    const page = await web.open('/');
    await finishedMatch(page);
    const last = Number(await stateOf(page, 'version'));
    const board = () => page.locator('[data-board]').innerHTML();
    const end = await board();
    await page.locator('[data-scrubber]').fill('5');
    await expect.poll(() => stateOf(page, 'at')).toBe('5');
    await expect.poll(board).not.toBe(end);
    await expect.poll(() => page.url()).toContain('at=5');
    await page.click('[aria-label="Step forward"]');
    await expect.poll(() => stateOf(page, 'at')).toBe('6');
    await page.locator('.log a').nth(7).click();
    await expect.poll(() => stateOf(page, 'at')).toBe('8');
    await page.selectOption('[aria-label="Speed"]', '4');
    await page.click('[aria-label="Play"]');
    await expect.poll(async () => Number(await stateOf(page, 'at'))).toBeGreaterThan(8);
    // The slider stops a replay that is playing, and one that has just reached the end stays stopped.
    await page.locator('[data-scrubber]').fill('5');
    await page.locator('[aria-label="Play"]').waitFor();
    // At half speed, the end is many seconds away, so that even a slow machine pauses before it.
    await page.selectOption('[aria-label="Speed"]', '0.5');
    await page.click('[aria-label="Play"]');
    await page.click('[aria-label="Pause"]');
    await page.locator('[aria-label="Play"]').waitFor();
    await page.selectOption('[aria-label="Whose eyes"]', '1');
    await expect.poll(() => page.url()).toContain('eyes=1');
    const there = await web.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await expect.poll(() => there.locator('[data-board] svg').count()).toBe(1);
    await expect.poll(() => stateOf(there, 'at')).toBe(await stateOf(page, 'at'));
    await page.click('[aria-label="To the end"]');
    await expect.poll(() => stateOf(page, 'at')).toBe(String(last));

    // What chance revealed is said beside the position.
    const drew = page.locator('.log a', { hasText: 'The display got' }).first();
    const revealed = /The display got [^.]*\./.exec((await drew.textContent()) as string)?.[0] as string;
    await drew.click();
    await page.locator('.replay .caption', { hasText: revealed }).waitFor();

    // For every number in the address, an existing position is shown, with a note.
    const { pathname } = new URL(page.url());
    for (const [asked, shown, words] of [
      ['99999999', String(last), `This match has ${last} positions`],
      ['-3', '1', 'counted from 1'],
      ['2x', String(last), '“2x” is not a position'],
    ] as const) {
      await page.goto(`${pathname}?at=${asked}`);
      await page.locator('[data-note]', { hasText: words }).waitFor();
      await expect.poll(() => stateOf(page, 'at'), { message: asked }).toBe(shown);
      await expect.poll(() => new URL(page.url()).searchParams.get('at') ?? String(last)).toBe(shown);
    }
  });

  it('is proven in the page, from the document alone; a changed one is not', async () => {
    const page = await web.open('/');
    await finishedMatch(page);
    await page.click('[data-verify]');
    const proof = await page.waitForSelector('[data-proof]');
    expect(await proof.getAttribute('data-proof')).toBe('proven');
    expect(await proof.textContent()).toMatch(/its own part of the seed is in it/);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Export')) return route.fallback();
      const response = await route.fetch();
      const answer = (await response.json()) as {
        data: { match: { export: { result: { scores: number[] } } } };
      };
      const { scores } = answer.data.match.export.result;
      scores[0] = (scores[0] as number) + 1;
      await route.fulfill({ response, json: answer });
    });
    await page.click('[data-verify]');
    await page.waitForSelector('[data-proof=unproven]');
    expect(await page.textContent('[data-proof]')).toMatch(/the result is/);
  });

  it('is scrubbed through 25 versions and back for less than 100 kB', async () => {
    const file = new URL('../archive/hawaii-rules2-base-5.json', import.meta.url);
    const ann = await newMember(rest, [web.url], 'Ann');
    const { id, version } = await ann.import(JSON.parse(readFileSync(file, 'utf8')));
    const from = Math.floor(version / 2);
    const boards: [number, string][] = [];
    for (let at = from; at < from + 25; at++) {
      boards.push([at, await (await fetch(`${web.url}/v1/matches/${id}/board.svg?at=${at}`)).text()]);
    }
    const page = await web.open(`/matches/${id}`);
    await page.waitForSelector('[data-scrubber]');
    const network = await page.context().newCDPSession(page);
    let [bytes, answers] = [0, 0];
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      answers++;
    });
    await network.send('Network.enable');
    await scrub(page, boards);
    const forward = bytes;
    await scrub(page, boards.toReversed());
    console.log(`hawaii: ${forward} bytes for 25 versions, ${bytes - forward} for the way back, in ${answers} answers`);
    expect(answers).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(100_000);
  });

  it('can be continued from any position', async () => {
    const page = await web.open('/');
    await finishedMatch(page);
    await page.locator('[data-scrubber]').fill('6');
    await expect.poll(() => page.url()).toContain('at=6');
    await page.click('[data-fork]');
    await page.waitForSelector('main[data-status=ACTIVE][data-acting=true]');
    expect(await page.textContent('.tools')).toContain('An analysis');
  });
});

describe('every page', () => {
  const policy = "default-src 'none'";

  it.each(['/', '/games/hashi', '/watch', '/account', '/developers', '/players/Ann'])(
    '%s has a strict policy, no serious finding, and fits a phone in light and dark',
    async (path) => {
      const response = await fetch(web.url + path, { headers: { accept: 'text/html' } });
      expect(response.headers.get('content-security-policy')).toContain(policy);
      expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
      for (const options of [WIDE, { ...PHONE, colorScheme: 'dark' as const }]) {
        const page = await web.open(path, options);
        await page.waitForSelector('main h1');
        await page.waitForLoadState('networkidle');
        expect(await findings(page), path).toEqual([]);
        const [needed, given] = await page.evaluate(
          () => [document.documentElement.scrollWidth, screen.width] as const,
        );
        expect(needed, path).toBeLessThanOrEqual(given);
      }
    },
  );

  it.each(['cacao', 'hashi', 'haleakala', 'hawaii'])('a table of %s has no serious finding', async (game) => {
    const page = await web.open('/');
    await sitDown(page, game);
    await myTurn(page);
    await expectReadable(page, game);
    await page.click('.words summary');
    await expect.poll(() => page.locator('.words li').count()).toBeGreaterThan(3);
    expect(await findings(page)).toEqual([]);
    // Every target is inside the window, unless the player enlarged the board.
    const board = page.locator('[data-board] svg');
    const bottoms = await page
      .locator('[data-board] [data-legal]')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().bottom));
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(900);
    const width = () => board.evaluate((svg) => svg.getBoundingClientRect().width);
    const fitted = await width();
    const { pixels, words } = await smallestText(page);
    expect(pixels, words).toBeGreaterThan(READABLE);
    await page.click('[aria-label="Larger board"]');
    expect(await width()).toBeGreaterThanOrEqual(fitted);
  });

  it('has boards that can be read: every game, few seats and many, early and late, in every window', async () => {
    const small: string[] = [];
    const measure = async (page: Page, width: Scene['width']) => {
      for (const [name, svg] of pictures(width)) {
        await showPicture(page, svg);
        const { pixels, words } = await smallestText(page);
        const { width } = page.viewportSize() as { width: number };
        if (!(pixels > READABLE)) small.push(`${name} by ${width}: ${words} has ${pixels.toFixed(1)}`);
      }
    };
    const page = await web.open('/', { viewport: { width: 1280, height: 800 } });
    await sitDown(page, 'cacao');
    await myTurn(page);
    await measure(page, 'WIDE');
    await page.setViewportSize({ width: 1600, height: 900 });
    await measure(page, 'WIDE');
    await page.setViewportSize(PHONE.viewport);
    await page.waitForSelector('[data-board] svg[viewBox^="0 0 390"]');
    await measure(page, 'NARROW');
    expect(small).toEqual([]);
  });

  it('helps browsers that cannot run its script', async () => {
    const player = await web.open('/');
    await sitDown(player, 'hashi');
    const page = await web.open(new URL(player.url()).pathname, { ...WIDE, javaScriptEnabled: false });
    expect(await page.isVisible('#plain .notice')).toBe(true);
    const links = await page.locator('#plain a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toContain('/rules/hashi.html');
    const picture = links.find((link) => link?.endsWith('/board.png')) as string;
    const answers = await Promise.all([picture, '/rules/hashi.html'].map((link) => fetch(web.url + link)));
    expect(answers.map(({ status, headers }) => [status, headers.get('content-type')?.split(';')[0]])).toEqual([
      [200, 'image/png'],
      [200, 'text/html'],
    ]);
    // Browsers without modules are told by a script that they can read.
    expect(await (await fetch(`${web.url}/old-browser.js`)).text()).not.toMatch(/=>|`|\b(let|const)\b/);
  });
});

it('the script of the first table has at most 60 kB, and the table appears soon', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js')),
  );
  const sizes = await Promise.all(
    scripts.map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
});

it('running matches are watched live', async () => {
  const player = await web.open('/');
  await sitDown(player, 'cacao', 'Watched');
  await myTurn(player);
  const page = await web.open('/watch');
  const card = page.locator('.watched a', { hasText: 'Watched' });
  await card.locator('svg').waitFor();
  const before = Number(await card.getAttribute('data-version'));
  await playByTargets(player, 1);
  await expect.poll(async () => Number(await card.getAttribute('data-version'))).toBeGreaterThan(before);
});

it('a client that asks for JSON at the root still gets it', async () => {
  const answer = await fetch(web.url, { headers: { accept: 'application/json' } });
  expect(await answer.json()).toMatchObject({ name: 'Atoll', links: { graphql: '/graphql' } });
});
