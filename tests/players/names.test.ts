/** Which names players may choose, and how two players of one name are distinguished. */
import { describe, expect, it } from 'vitest';
import { BOTS } from '../../src/players/bot-accounts.ts';
import { cleanName, hasLink, isName, shownName, tagOf, toldApart } from '../../src/players/name.ts';
import { skeleton } from '../../src/players/skeleton.ts';
import { freshDatabase } from '../support/database.ts';
import { openServices } from '../support/servers.ts';

const refused = (code: string) => expect.objectContaining({ code });

describe('a link in a name', () => {
  it.each([
    'https://evil.example',
    'evil.example',
    'www.evil.com',
    'Ann evil.com/free',
    'evil.co.uk',
    'EVIL.COM',
    'evil。com',
    'evil．com',
    'еvіl.соm',
    'ann@evil.com',
    'mailto:ann',
    'javascript://x',
    'http:evil',
    '10.0.0.1',
    'Dr.No',
    'xn--evil.рф',
    'discord.gg/abc',
    '①.com',
  ])('%s is refused', (name) => {
    expect(hasLink(name)).toBe(true);
    expect(isName(name)).toBe(false);
    expect(() => cleanName(name)).toThrow(refused('BAD_INPUT'));
  });

  it.each([
    'Ann',
    'J. R. Smith',
    'J.R.',
    'St. John',
    'Dr. No',
    'A.J.',
    '3.14',
    'Zoë…',
    'v1.0',
    'Ann!',
    'and/or',
    '山田 太郎',
    '...',
    'Ann: the great',
  ])('%s has none', (name) => {
    expect(cleanName(name)).toBe(name);
  });
});

describe('names that look like another', () => {
  it.each([
    ['Hard bot', 'HARD BOT'],
    ['Hard bot', 'Hаrd bоt'], // Cyrillic a and o
    ['Hard bot', 'Hard  b0t'],
    ['Hard bot', 'Hard-bot.'],
    ['Hard bot', 'Hárd böt'],
    ['Hard bot', 'Ｈａｒｄ ｂｏｔ'],
    ['Hard bot', '𝐇𝐚𝐫𝐝 𝐛𝐨𝐭'],
    ['Medium bot', 'Mediurn bot'],
    ['Medium bot', 'MEDlUM BOT'],
    ['Deleted player', 'DeIeted pIayer'],
    ['Ann', 'ΑΝΝ'], // Greek
    ['Owen', 'Ovven'],
    ['Łukasz', 'Lukasz'],
  ])('%s and %s have one skeleton', (a, b) => {
    expect(skeleton(b)).toBe(skeleton(a));
  });

  it.each([
    ['Ann', 'Anna'],
    ['Tom', 'Tim'],
    ['山田', '山本'],
    ['🐙', '🦀'],
    ['Hard bot', 'Hard boot'],
  ])('%s and %s do not', (a, b) => {
    expect(skeleton(b)).not.toBe(skeleton(a));
  });

  it('the skeleton of a skeleton is itself', () => {
    for (const name of ['Hard bot', 'Mediurn', 'ΑΝΝ', 'Łukasz']) expect(skeleton(skeleton(name))).toBe(skeleton(name));
  });

  it.each([
    'Easy bot',
    'Medium bot',
    'hard bot',
    'HARD-BOT',
    'Hаrd bоt',
    'Deleted player',
    'DELETED PLAYER',
    'De1eted p1ayer',
  ])('nobody can be called %s', (name) => {
    expect(() => cleanName(name)).toThrow(refused('NAME_TAKEN'));
  });
});

describe('tags', () => {
  it('tell two guests of one name apart, and cannot be made part of a name', async () => {
    const database = await freshDatabase();
    const { players, close } = await openServices(database.url);
    try {
      const [one, two] = [(await players.register('Ann')).player, (await players.register('Ann')).player];
      expect(one.tag).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(shownName(one)).toBe(`Ann #${one.tag}`);
      expect(shownName(one)).not.toBe(shownName(two));
      expect(await players.byIds([one.id, BOTS.HARD.id])).toEqual([one, { ...BOTS.HARD, tag: null }]);
      await expect(players.register(`Ann #${one.tag}`)).rejects.toThrow(refused('BAD_INPUT'));
    } finally {
      await close();
      await database.drop();
    }
  });

  it('are shown in pictures only if two names at a table look alike', () => {
    const at = (id: string, name: string, tag: string | null = id) => ({ id, name, tag });
    const [ann, twin, ben] = [at('AAAA', 'Ann'), at('BBBB', 'АNN'), at('CCCC', 'Ben')];
    expect(toldApart([ann, null, ben])).toEqual(['Ann', null, 'Ben']);
    expect(toldApart([ann, twin, ben])).toEqual(['Ann #AAAA', 'АNN #BBBB', 'Ben']);
    expect(toldApart([ann, ann])).toEqual(['Ann', 'Ann']);
    expect(toldApart([at('x', 'Ann', null), ann])).toEqual(['Ann', 'Ann #AAAA']);
  });

  it('follow from the id', () => {
    const guest = { id: '019a0000-0000-7000-8000-0000000fffff', name: 'Ann', kind: 'HUMAN', skeleton: null } as const;
    expect(tagOf(guest)).toBe('ZZZZ');
    expect(tagOf({ ...guest, skeleton: 'ann' })).toBeNull();
    expect(tagOf({ ...guest, kind: 'BOT' })).toBeNull();
  });
});

describe('the name of a kept account', () => {
  it('belongs to it, in any case and with letters that look alike, until the account is deleted', async () => {
    const database = await freshDatabase();
    const { players, close, database: rows } = await openServices(database.url);
    try {
      const { player } = await players.register('Annika');
      await rows.prisma.player.update({ where: { id: player.id }, data: { skeleton: skeleton('Annika') } });
      expect((await players.byIds([player.id]))[0]).toMatchObject({ name: 'Annika', tag: null });
      for (const name of ['Annika', 'ANNIKA', 'Аnnika', 'annlka', 'An-nika'])
        await expect(players.register(name)).rejects.toThrow(refused('NAME_TAKEN'));
      const other = await players.register('Anika');
      const own = { where: { id: other.player.id }, data: { skeleton: skeleton('Annika') } };
      await expect(rows.prisma.player.update(own)).rejects.toThrow();
      await players.remove(player);
      expect((await players.register('Annika')).player.tag).not.toBeNull();
    } finally {
      await close();
      await database.drop();
    }
  });

  it('from before links were refused is shown without its link', async () => {
    const database = await freshDatabase();
    const { players, close, database: rows } = await openServices(database.url);
    try {
      const { player, token } = await players.register('Ann');
      await rows.prisma.player.update({ where: { id: player.id }, data: { name: 'evil.example' } });
      expect((await players.byIds([player.id]))[0]).toMatchObject({ name: 'Player', tag: player.tag });
      expect(await players.authenticate(token)).toMatchObject({ name: 'Player' });
    } finally {
      await close();
      await database.drop();
    }
  });
});
