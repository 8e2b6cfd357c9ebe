/**
 * Limits that servers share through the message bus. Each process counts first and tells the bus soon afterwards; the
 * answer says what the others have counted. So no request waits for the bus, and while it is away, each process limits
 * on its own.
 */
import { randomBytes } from 'node:crypto';
import type { Bus } from './bus.ts';
import { type OpenCounter, openCounter, type SharedCounter } from './counters.ts';
import { type OpenPlaces, openPlaces, type SharedPlaces } from './places.ts';

export interface Shared {
  /** The name distinguishes it from other counters. */
  counter(name: string, perMinute: number): SharedCounter;
  places(name: string, max: number): SharedPlaces;
  close(): void;
}

export interface SharedOptions {
  flushMs?: number;
  /** How often places are confirmed, and how long after the last confirmation they are freed. */
  confirmMs?: number;
  expireMs?: number;
  /** How long a place waits for the bus; after that it is granted. */
  grantMs?: number;
}

export function openShared(bus: Bus, options: SharedOptions = {}): Shared {
  const { flushMs = 100, confirmMs = 10_000, expireMs = 30_000, grantMs = 300 } = options;
  const holder = randomBytes(9).toString('base64url');
  const counters: OpenCounter[] = [];
  const everyPlace: OpenPlaces[] = [];
  const confirm = () => {
    for (const places of everyPlace) places.confirm();
  };
  bus.attach({
    connected: confirm,
    lost() {
      for (const counter of counters) counter.forget();
    },
  });
  const flushing = setInterval(() => {
    for (const counter of counters) counter.flush();
  }, flushMs).unref();
  const confirming = setInterval(() => {
    for (const counter of counters) counter.sweep();
    confirm();
  }, confirmMs).unref();
  return {
    counter(name, perMinute) {
      const counter = openCounter(bus, `rate:${name}`, perMinute);
      counters.push(counter);
      return counter;
    },
    places(name, max) {
      const places = openPlaces(bus, { name: `held:${name}`, max, holder, expireMs, grantMs });
      everyPlace.push(places);
      return places;
    },
    close() {
      clearInterval(flushing);
      clearInterval(confirming);
    },
  };
}
