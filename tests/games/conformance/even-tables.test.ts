/** Half of the tables; the other half is in another file, because files run side by side. */
import { registry } from '../../../src/games/registry.ts';
import { describeTables, tablesOf } from './tables.ts';

describeTables(tablesOf(registry).filter((_, i) => i % 2 === 0));
