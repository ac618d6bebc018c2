// The package has no types.

declare module 'sql.js/dist/sql-wasm-browser.js' {
  type SqlValue = number | bigint | string | Uint8Array<ArrayBuffer> | null;

  interface Statement {
    /** Returns true if there is a row. */
    step(): boolean;
    get(parameters: null, options: { readonly useBigInt: true }): readonly SqlValue[];
    bind(parameters: readonly SqlValue[]): boolean;
    getColumnNames(): readonly string[];
    free(): boolean;
  }

  interface Database {
    prepare(sql: string): Statement;
    run(sql: string): Database;
  }

  interface SqlLibrary {
    readonly Database: new (bytes: Uint8Array) => Database;
  }

  export default function load(options: {
    readonly wasmBinary: Uint8Array;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }): Promise<SqlLibrary>;
}

declare module 'virtual:sqlite-engine' {
  /** The address of the engine's WebAssembly, compressed by gzip (build/vite/packed-wasm.ts). */
  const address: string;
  export default address;
}
