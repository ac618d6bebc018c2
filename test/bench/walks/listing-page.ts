import { parseXml } from '../../../electron/core/s3/xml/parse.ts';
import { readListing } from '../../../electron/core/s3/xml/listing-response.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { startListingServer } from '../support/listing-server.ts';
import { median, type Figure } from '../report.ts';

const rounds = 60;
const warmUpRounds = 20;

/** Measures a listing page of 1000 objects in the core, from request to rows, and the parser's share. */
export async function benchListingPage(): Promise<readonly Figure[]> {
  const server = await startListingServer(
    { bucket: 'bench', prefixes: ['big/'], folderCount: 0, objectCount: 1000 },
    0,
  );
  const client = realClient({ endpoint: server.endpoint, keys: null });
  try {
    const response = await fetch(`${server.endpoint}/bench?list-type=2&prefix=big/`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const whole = await timed(async () => {
      await client.listObjects({ bucket: 'bench', prefix: 'big/', delimiter: '/' });
    });
    const parsing = await timed(() => {
      parseXml(bytes);
    });
    const toRows = await timed(() => {
      readListing(parseXml(bytes));
    });
    return [
      { name: 'listing page of 1000: request to rows', value: whole, unit: 'ms' },
      { name: 'listing page of 1000: bytes to rows', value: toRows, unit: 'ms' },
      { name: 'listing page of 1000: the parser alone', value: parsing, unit: 'ms' },
      { name: "listing page of 1000: the parser's share", value: (100 * parsing) / toRows, unit: '%' },
    ];
  } finally {
    await client.close();
    await server.close();
  }
}

async function timed(run: () => Promise<void> | void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUpRounds; round += 1) {
    const startedMs = performance.now();
    await run();
    times.push(performance.now() - startedMs);
  }
  return median(times.slice(warmUpRounds));
}
