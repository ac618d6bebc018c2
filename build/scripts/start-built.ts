import * as browserHost from '../../electron/browser/main.ts';
import { startCooper } from './start-cooper.ts';

/** The entry of `npm start` if the build is up to date. It is built into `dist/start`, so that no TypeScript has to be loaded. */
await startCooper(process.argv.slice(2), () => Promise.resolve(browserHost));
