import * as browserHost from '../../electron/browser/main.ts';
import { startCooper } from './start-cooper.ts';

/** Built into `dist/start`, with which `npm start` begins where nothing has to be built: no TypeScript is read then. */
await startCooper(process.argv.slice(2), () => Promise.resolve(browserHost));
