import { registerHooks } from 'node:module';

const mark = '?named';

// Lets Node import `xz-decompress` by the name of its class. Vite finds it in the package's bundle for CommonJS; Node does not.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return specifier === 'xz-decompress' ? { ...found, url: found.url + mark, format: 'module' } : found;
  },
  load: (url, context, next) => {
    if (!url.endsWith(mark)) return next(url, context);
    const bundle = JSON.stringify(url.slice(0, -mark.length));
    const source = `import bundle from ${bundle}; export const { XzReadableStream } = bundle;`;
    return { format: 'module', source, shortCircuit: true };
  },
});
