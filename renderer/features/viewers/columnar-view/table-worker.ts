import { serveTable } from '../columnar/table-server.ts';

serveTable(async ({ format }) =>
  format === 'parquet'
    ? (await import('../parquet/parquet-file.ts')).openParquet
    : (await import('../arrow/arrow-file.ts')).openArrow,
);
