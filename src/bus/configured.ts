/** The configured message bus, with the limits that are shared through it. */
import type { Config } from '../config.ts';
import { type Bus, type BusOptions, openBus } from './bus.ts';
import { openShared, type Shared, type SharedOptions } from './shared.ts';

export interface ConfiguredBus {
  /** To be opened once all listeners are attached. */
  bus: Bus;
  shared: Shared;
  close(): Promise<void>;
}

/** Undefined if none is configured. */
export function busOf(
  { BUS_URL, BUS_PREFIX }: Config,
  logs: Pick<BusOptions, 'warn' | 'inform'>,
  options?: SharedOptions,
): ConfiguredBus | undefined {
  if (!BUS_URL) return undefined;
  const bus = openBus({ url: BUS_URL, prefix: BUS_PREFIX, ...logs });
  const shared = openShared(bus, options);
  return {
    bus,
    shared,
    async close() {
      shared.close();
      await bus.close();
    },
  };
}
