import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, type SqlQuery } from '@prisma/driver-adapter-utils';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';

// Prisma's schema engine compiled to WebAssembly: needs no download, unlike the native one.

const MODULE = '@prisma/schema-engine-wasm/schema_engine_bg';
const CHAR_OID = 18;
const TEXT_OID = 25;

/** The DOM library has these types, but it is not loaded here. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } };
}

let loaded = false;

function load(): void {
  if (loaded) return;
  loaded = true;
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (m: string) => console.error(m) } });
  const folder = dirname(fileURLToPath(import.meta.resolve(MODULE)));
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const wasm = new Module(readFileSync(join(folder, 'schema_engine_bg.wasm')));
  const { exports } = new Instance(wasm, { './schema_engine_bg.js': glue });
  (glue as unknown as { __wbg_set_wasm(e: unknown): void }).__wbg_set_wasm(exports);
  exports.__wbindgen_start();
}

interface Io {
  performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }>;
}

/**
 * The adapter refuses catalog columns of type "char", which the engine reads. They are read as text and renamed
 * afterwards.
 */
class EnginePg extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const io = adapter as unknown as Io;
    const performIO = io.performIO.bind(adapter);
    const queryRaw = adapter.queryRaw.bind(adapter);
    const chars = new WeakMap<SqlQuery, boolean[]>();
    io.performIO = async (query) => {
      const result = await performIO(query);
      chars.set(
        query,
        result.fields.map((f) => f.dataTypeID === CHAR_OID),
      );
      for (const f of result.fields) if (f.dataTypeID === CHAR_OID) f.dataTypeID = TEXT_OID;
      return result;
    };
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const isChar = chars.get(query) ?? [];
      return { ...result, columnTypes: result.columnTypes.map((t, i) => (isChar[i] ? ColumnTypeEnum.Character : t)) };
    };
    return adapter;
  }
}

/** The SQL that would turn the database at `url` into this schema.prisma; '' when the two agree. */
export async function drift(url: string, schema: string): Promise<string> {
  load();
  const files = [{ path: 'schema.prisma', content: schema }];
  const factory = bindMigrationAwareSqlAdapterFactory(new EnginePg({ connectionString: url }));
  const datamodels = files.map((f): [string, string] => [f.path, f.content]);
  const engine = await glue.SchemaEngine.new({ datamodels }, () => {}, factory);
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 2 ? (stdout ?? '') : '';
  } finally {
    engine.free();
  }
}
