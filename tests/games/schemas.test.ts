/** The schemas of every version of every game: named parts that say the same as the game's own, and types one can read. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Game } from '../../src/games/game.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { schemasOf } from '../../src/games/schemas.ts';
import { typesOf } from '../../tools/game-types.ts';
import { template } from '../../tools/new-game/index.ts';

interface Named {
  $id: string;
  title: string;
  $defs: Record<string, { title: string; oneOf?: object[]; discriminator?: object }>;
}

describe.each([...registry.versions, template].map((game: Game) => [`${game.id} ${game.rules}`, game] as const))(
  '%s',
  (_, game) => {
    const document = schemasOf(game) as unknown as Named;

    it('has an id, a title, and a name for every part', () => {
      expect(document.$id).toBe(`urn:atoll:${game.id}:${game.rules}`);
      expect(document.title).toContain(game.name);
      expect(Object.keys(document.$defs)).toEqual(expect.arrayContaining(['Options', 'Action', 'View']));
      for (const [name, { title }] of Object.entries(document.$defs)) expect(title).toBe(name);
      const { Action } = document.$defs;
      const hasSeveralActions = 'anyOf' in game.schema.action;
      expect(Action).toMatchObject(
        hasSeveralActions ? { discriminator: { propertyName: 'type' }, oneOf: expect.any(Array) } : { type: 'object' },
      );
    });

    it('says of real options, actions and views what the game says', () => {
      const ajv = new Ajv2020({ strict: false });
      ajv.addSchema(document);
      const check = (name: string) => ajv.compile({ $ref: `${document.$id}#/$defs/${name}` });
      const [isOption, isAction, isView] = [check('Options'), check('Action'), check('View')];
      const rng = fastRng(11);
      const options = Object.values(game.variants)[0] as object;
      expect([isOption(options), isOption({ nonsense: 1 })]).toEqual([true, false]);
      const seats = game.seats.max;
      let state: object = game.setup(options, seats, rng);
      for (let i = 0; i < 60; i++) {
        for (const eyes of [null, 0]) expect([isView(game.view(state, eyes)), isView.errors]).toEqual([true, null]);
        const acting = Array.from({ length: seats }, (__, seat) => seat).filter((s) => game.legal(state, s).length > 0);
        if (acting.length === 0) break;
        const seat = rng.pick(acting);
        const legal = game.legal(state, seat);
        for (const action of legal) expect(isAction(action)).toBe(true);
        const action = rng.pick(legal);
        expect(isAction({ ...action, type: 'nonsense' })).toBe(false);
        state = structuredClone(state);
        game.apply(state, seat, action, rng);
      }
    });

    it('becomes TypeScript with named types of readable length', () => {
      const text = typesOf(document as never);
      const code = text.split('\n').filter((line) => !line.trim().startsWith('/*'));
      expect(code.filter((line) => line.length > 120)).toEqual([]);
      const types = text.split(/\n(?=export )/).slice(1);
      expect(types.length).toBeGreaterThan(5);
      for (const type of types) expect(type.split('\n').length).toBeLessThan(60);
      expect(text).not.toMatch(/unknown/);
    });
  },
);

it('the TypeScript of all games compiles, and an action is told apart by its type', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-types-'));
  const names = registry.versions.map((game) => {
    const name = `${game.id}${game.rules}`;
    const narrowed = `\nexport const typeOf = (action: Action): Action['type'] => action.type;\n`;
    writeFileSync(join(folder, `${name}.ts`), typesOf(schemasOf(game) as never) + narrowed);
    return `${name}.ts`;
  });
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', ''];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, ...names], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stdout]).toEqual([0, '']);
});
