import { registerHooks } from 'node:module';

/** From here on `electron` is the stand-in. */
const standIn = new URL('electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
