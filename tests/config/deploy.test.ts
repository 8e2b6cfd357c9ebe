/** No container is built here. The files are checked: the image contains what the server reads, and the names agree. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { program } from '../support/programs.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');
const nginx = read('deploy/nginx.conf');
const stages = dockerfile.split(/^FROM /m).slice(1);
const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? `nothing like ${pattern}`;

/** The files that the COPY instructions of a stage take from this folder. */
const copied = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => (sources as string).split(' '));

/** What they take from other stages. */
const taken = (stage: string): string[] =>
  [...stage.matchAll(/^COPY --from=\S+ \S+ (\S+)$/gm)].map(([, made]) => made as string);

describe('the image', () => {
  it('copies only files that exist', () => {
    const sources = stages.flatMap(copied);
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((source) => !existsSync(source))).toEqual([]);
  });

  it('has every folder and file that the server reads', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const texts = sources.map((file) => read(`src/${file}`));
    const needed = texts.flatMap((text) =>
      [...text.matchAll(/new URL\(['`]([^/'`]+)[^'`]*['`], ROOT\)/g)].map(([, name]) => name),
    );
    expect(needed.length).toBeGreaterThan(3);
    const last = stages.at(-1) as string;
    expect([...copied(last), ...taken(last)]).toEqual(expect.arrayContaining(needed));
  });

  it('starts the server as npm start does', () => {
    const command = JSON.parse(found(/^CMD (\[.+\])$/m, dockerfile)) as string[];
    const start = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start.split(' ');
    expect(command).toEqual(expect.arrayContaining(start));
    expect([command[0], command.at(-1)]).toEqual([start[0], start.at(-1)]);
  });
});

describe('the composed servers', () => {
  const port = found(/\bPORT=(\d+)/, dockerfile);

  it('are found by the proxy', () => {
    const [, service, to] = /^\s+server (\w+):(\d+) resolve/m.exec(nginx) ?? [];
    expect([`${service}`, to]).toEqual(['server', port]);
    expect(compose).toMatch(/^ {2}server:\n {4}build: \.$/m);
    expect(compose).toContain('./deploy/nginx.conf:/etc/nginx/conf.d/default.conf:ro');
    expect(found(/_PORT:-\d+\}:(\d+)"/, compose)).toBe(found(/^\s+listen (\d+);/m, nginx));
  });

  it('are given more time to stop than they take', () => {
    const seconds = Number(found(/SHUTDOWN_SECONDS: "(\d+)"/, compose));
    expect(Number(found(/stop_grace_period: (\d+)s/, compose))).toBeGreaterThan(seconds);
  });
});

describe('what watches over the servers', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const measured = new Set([
    ...registry.getMetricsAsArray().map(({ name }) => name),
    ...sources.flatMap((file) => read(`src/${file}`).match(/(?<=')atoll_\w+(?=')/g) ?? []),
  ]);
  const kubernetes = read('deploy/kubernetes.yaml');

  it.each(['deploy/alerts.yaml', 'deploy/grafana.json'])('%s names only metrics that exist', (file) => {
    const named = (read(file).match(/\b(atoll|nodejs|process)_\w+/g) ?? []).map((name) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !measured.has(name))).toEqual([]);
    expect(named).toContain('atoll_bus_connected');
  });

  it('has a dashboard that can be read, and an alert for the append queue', () => {
    const { panels } = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
    expect(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))).toContain('atoll_append_queue');
    expect(read('deploy/alerts.yaml')).toMatch(/- alert: \w+\n\s+expr: atoll_append_queue > \d+\n/);
  });

  const promtool = program('promtool');

  it.skipIf(!promtool)('has alerts that fire when they should (skipped where there is no promtool)', () => {
    const { status, stdout, stderr } = spawnSync(promtool as string, ['test', 'rules', 'tests/config/alerts.yaml']);
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('has a test of every alert', () => {
    const names = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
    const tested = read('tests/config/alerts.yaml').split('- name: ').slice(2).join();
    expect(names(tested, /alertname="(\w+)"/g)).toEqual(names(read('deploy/alerts.yaml'), /- alert: (\w+)/g));
  });

  it('probes the routes that report health', () => {
    const routes = read('src/api/http/health.ts');
    for (const [, path] of kubernetes.matchAll(/path: (\/health\/\w+)/g)) expect(routes).toContain(`'${path}'`);
    expect(kubernetes).toMatch(/livenessProbe:\n\s+httpGet: \{ path: \/health\/live/);
    expect(kubernetes).toMatch(/readinessProbe:\n\s+httpGet: \{ path: \/health\/ready/);
  });

  it('gives them more time to stop than they take, and starts them as npm start does', () => {
    const unit = read('deploy/atoll.service');
    const start = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start;
    expect(found(/^ExecStart=\/usr\/bin\/(.+)$/m, unit)).toBe(start);
    expect(Number(found(/^TimeoutStopSec=(\d+)$/m, unit))).toBeGreaterThan(
      Number(found(/SHUTDOWN_SECONDS=(\d+)/, unit)),
    );
    const pause = Number(found(/preStop: .*"(\d+)"/, kubernetes));
    const stop = Number(found(/SHUTDOWN_SECONDS, value: "(\d+)"/, kubernetes));
    expect(Number(found(/terminationGracePeriodSeconds: (\d+)/, kubernetes))).toBeGreaterThan(pause + stop);
  });
});
