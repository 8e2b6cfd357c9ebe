import { describeTables } from './conformance-tables.ts';

describeTables(1);
