/** Pages in a real browser and a complete server. Every warning or error of a page fails the test. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, type InstanceOptions, startInstance } from '../support/instance.ts';
import { freePort } from '../support/programs.ts';

export const WIDE = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export interface Site {
  readonly url: string;
  readonly instance: Instance;
  readonly database: FreshDatabase;
  /** A page in a new browser, in which nobody is signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Ignores the warnings and errors that match, because the test expects them. */
  forgive(complaint: RegExp): void;
  /** Stops the server and starts it again at the same address. */
  restart(): Promise<void>;
  stopServer(): Promise<void>;
}

export interface SiteOptions extends InstanceOptions {
  /** The address with a host name, for passkeys, which belong to a name. */
  host?: 'localhost';
}

/** A server and browser for the tests of one file. */
export function site({ host, ...options }: SiteOptions = {}): Site {
  const addressOf = ({ url }: Instance) => (host ? url.replace('127.0.0.1', host) : url);
  let browser: Browser;
  let database: FreshDatabase;
  let instance: Instance;
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    const PORT = String(await freePort()); // nobody else gets it while the server is away
    instance = await startInstance(database.url, { ...options, env: { ...options.env, PORT } });
    browser = await chromium.connect(inject('browser'));
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    const heard = complaints;
    complaints = [];
    expect(heard).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await instance?.stop();
    await database?.drop();
  });

  function watch(page: Page): void {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (/^(http|ws)/.test(protocol) && host !== new URL(addressOf(instance)).host)
        complaints.push(`another host: ${request.url()}`);
    });
  }

  return {
    get url() {
      return addressOf(instance);
    },
    get instance() {
      return instance;
    },
    get database() {
      return database;
    },
    async open(path, settings = WIDE) {
      const context = await browser.newContext({ baseURL: addressOf(instance), ...settings });
      context.setDefaultTimeout(60_000); // a busy machine may take its time
      contexts.push(context);
      const page = await context.newPage();
      watch(page);
      await page.goto(path);
      return page;
    },
    forgive(pattern) {
      complaints = complaints.filter((complaint) => !pattern.test(complaint));
    },
    stopServer: () => instance.stop(),
    async restart() {
      const { port } = new URL(instance.url);
      await instance.stop();
      instance = await startInstance(database.url, { ...options, env: { ...options.env, PORT: port } });
    },
  };
}

/** A guest types a name and plays a bot, from the lobby. */
export async function sitDown(page: Page, game: string, name = 'Moana'): Promise<void> {
  await page.fill('input[name=name]', name);
  await page.click(`[data-play-bots=${game}]`);
  await page.waitForSelector('[data-board] svg');
}

/**
 * Plays by pointing at the board alone, until the match is over or so many actions are taken. It runs inside the page,
 * because a match has hundreds of clicks.
 */
export function playByTargets(
  page: Page,
  most = Number.POSITIVE_INFINITY,
): Promise<{ actions: number; clicks: number }> {
  return page.evaluate(async (limit) => {
    const main = () => document.querySelector<HTMLElement>('main[data-match]') as HTMLElement;
    const until = async (test: () => boolean, what: string) => {
      const end = performance.now() + 60_000;
      while (!test()) {
        if (performance.now() > end) throw new Error(`waited a minute for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
    };
    const click = (element: Element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    let [actions, clicks] = [0, 0];
    while (actions < limit) {
      await until(() => main().dataset.acting === 'true' || main().dataset.status === 'FINISHED', 'my turn');
      if (main().dataset.status === 'FINISHED') break;
      const before = main().dataset.version;
      for (let i = 0; !document.querySelector('[data-confirm]'); i++) {
        const legal = Array.from(document.querySelectorAll('[data-board] [data-target][data-legal]'));
        const next = legal[Math.floor(Math.random() * legal.length)];
        if (!next || i > 10) throw new Error(`stuck: ${document.querySelector('.prompt')?.textContent}`);
        const count = document.querySelectorAll('[data-chosen]').length;
        click(next);
        clicks++;
        await until(() => document.querySelectorAll('[data-chosen]').length !== count, 'the click to be seen');
      }
      click(document.querySelector('[data-confirm]') as Element);
      actions++;
      await until(() => main().dataset.version !== before, 'the action to be accepted');
    }
    return { actions, clicks };
  }, most);
}

/**
 * The smallest text of the board as it is drawn on the screen, in pixels. Texts inside symbols are measured where they are
 * used, because there they are drawn.
 */
export const smallestText = (page: Page): Promise<{ pixels: number; words: string }> =>
  page.evaluate(() => {
    const board = document.querySelector('[data-board] svg') as SVGSVGElement;
    const scaleOf = (element: SVGGraphicsElement) => {
      const { a, b, c, d } = element.getScreenCTM() as DOMMatrix;
      return Math.sqrt(Math.abs(a * d - b * c));
    };
    const sizeOf = (text: Element) => Number.parseFloat(getComputedStyle(text).fontSize);
    let smallest = { pixels: Number.POSITIVE_INFINITY, words: 'no text at all' };
    const see = (pixels: number, text: Element) => {
      if (pixels < smallest.pixels) smallest = { pixels, words: text.textContent ?? '' };
    };
    for (const text of board.querySelectorAll<SVGTextElement>('text'))
      if (!text.closest('symbol')) see(sizeOf(text) * scaleOf(text), text);
    for (const use of board.querySelectorAll('use')) {
      const symbol = board.querySelector<SVGSymbolElement>(CSS.escape(use.href.baseVal).replace('\\#', '#'));
      if (!symbol || use.closest('symbol')) continue;
      const { width, height } = symbol.viewBox.baseVal;
      const times = Math.min(use.width.baseVal.value / width, use.height.baseVal.value / height) * scaleOf(use);
      for (const text of symbol.querySelectorAll('text')) see(sizeOf(text) * times, text);
    }
    return smallest;
  });

/** Every text of a board has at least so many pixels, on a phone and on a screen. */
export const READABLE = 10.99;

/** The value of one of the hooks on the page's main part. */
export const stateOf = (page: Page, name: 'status' | 'version' | 'acting' | 'at'): Promise<string | null> =>
  page.getAttribute('main[data-match]', `data-${name}`);

export const myTurn = (page: Page) => page.waitForSelector('main[data-acting=true]');
