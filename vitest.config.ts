import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // What comes comes sooner; a busy machine may take its time.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'games', include: ['tests/{games,bots}/**/*.test.ts'], testTimeout: 300_000 } },
      {
        extends: true,
        // Vite would take graphql's ES module build while mercurius requires the CommonJS one: two copies, and every
        // instanceof check between them fails. Node itself resolves both to the CommonJS build.
        resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
        test: {
          name: 'server',
          include: ['tests/{config,database,bus,matches,players,admin,api,notices,client}/**/*.test.ts'],
          globalSetup: ['tests/support/cluster.ts', 'tests/support/compiled.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
        test: {
          name: 'web',
          include: ['tests/web/**/*.test.ts'],
          globalSetup: ['tests/support/cluster.ts', 'tests/support/compiled.ts', 'tests/web/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
