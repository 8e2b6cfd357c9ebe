/** Builds the page as `npm start` does, and starts the one Chromium in which all tests of this project open their pages. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import bundled from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    browser: string;
  }
}

/** Libraries that the binary needs and the machine does not have. */
function missing(executable: string, env: NodeJS.ProcessEnv): string[] {
  const found = execFileSync('ldd', [executable], { encoding: 'utf8', env });
  return [...found.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name as string);
}

function bundledLibraries(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const archive = join(dirname(entry), '..', '..', 'bin', 'al2023.tar.br');
  const folder = join(tmpdir(), 'atoll-chromium-libraries');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: brotliDecompressSync(readFileSync(archive)) });
  return join(folder, 'lib');
}

/** The package contains libnss3 and libnspr4 for machines without them. Other missing libraries are named. */
function environment(executable: string): Record<string, string> {
  const env: Record<string, string> = { ...(process.env as Record<string, string>) };
  if (!existsSync('/usr/share/fonts')) env.FONTCONFIG_PATH = join(tmpdir(), 'fonts');
  if (missing(executable, env).length === 0) return env;
  env.LD_LIBRARY_PATH = bundledLibraries();
  const still = missing(executable, env);
  if (still.length === 0) return env;
  throw new Error(
    `Chromium needs libraries that are not installed: ${still.join(', ')}. On Debian: apt-get install libnss3 libnspr4. Or set CHROMIUM_PATH to an installed Chromium.`,
  );
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // In a separate process, because this one is set up for tests and would build a different page.
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'error'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const own = process.env.CHROMIUM_PATH;
  const executablePath = own ?? (await bundled.executablePath());
  const server = await chromium.launchServer({
    executablePath,
    // The package's own arguments are not used: they switch off web security, which would hide faults of our policy.
    args: ['--no-sandbox', '--disable-gpu', ...(own ? [] : ['--headless=shell'])],
    headless: true,
    env: own ? (process.env as Record<string, string>) : environment(executablePath),
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
