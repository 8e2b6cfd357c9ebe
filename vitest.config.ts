import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [{ extends: true, test: { name: 'games', include: ['tests/games/**/*.test.ts'], testTimeout: 120_000 } }],
  },
});
