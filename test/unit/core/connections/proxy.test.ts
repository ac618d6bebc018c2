import { expect, test } from 'vitest';
import { proxyFor, proxyUrlFor } from '../../../../electron/core/connections/proxy.ts';
import { parseEndpointOrigin } from '../../../../electron/core/s3/http/addressing.ts';

const secure = parseEndpointOrigin('https://s3.example.com');
const proxy = { hostname: 'proxy.example.com', port: 3128 };
const env = { HTTPS_PROXY: 'http://proxy.example.com:3128' };

test('an explicit proxy is used, and "none" overrides the environment', () => {
  expect(proxyFor(secure, 'proxy.example.com:3128', {})).toEqual(proxy);
  expect(proxyFor(secure, 'none', env)).toBeNull();
});

test('the proxy variable of the scheme is read in upper and lower case', () => {
  expect(proxyFor(secure, null, env)).toEqual(proxy);
  expect(proxyFor(secure, null, { https_proxy: 'http://proxy.example.com:3128' })).toEqual(proxy);
  expect(proxyFor(parseEndpointOrigin('http://s3.example.com'), null, env)).toBeNull();
  expect(proxyFor(secure, null, {})).toBeNull();
});

test.each([
  's3.example.com',
  'example.com',
  '.example.com',
  '*.example.com',
  'other, s3.example.com:443',
  '*',
])('NO_PROXY=%s exempts s3.example.com', (list) => {
  expect(proxyFor(secure, null, { ...env, NO_PROXY: list })).toBeNull();
});

test.each(['ample.com', 's3.example.com:9000', ''])('NO_PROXY=%s does not exempt s3.example.com', (list) => {
  expect(proxyFor(secure, null, { ...env, NO_PROXY: list })).toEqual(proxy);
});

test('a proxy of the environment is not used for localhost', () => {
  expect(
    proxyFor(parseEndpointOrigin('http://127.0.0.1:9000'), null, { HTTP_PROXY: 'http://proxy:1' }),
  ).toBeNull();
});

test('the connection test asks the system for a proxy if nothing else defines one', async () => {
  const asked: string[] = [];
  const system = {
    routeTo: (origin: string) => {
      asked.push(origin);
      return Promise.resolve('http://proxy.example.com:3128');
    },
    avoid: () => undefined,
  };
  expect(await proxyUrlFor(secure, null, {}, system)).toBe('http://proxy.example.com:3128');
  expect(await proxyUrlFor(secure, 'none', {}, system)).toBe('none');
  expect(await proxyUrlFor(secure, null, env, system)).toBeNull();
  expect(await proxyUrlFor(parseEndpointOrigin('http://127.0.0.1:9000'), null, {}, system)).toBeNull();
  expect(await proxyUrlFor(secure, null, {}, undefined)).toBeNull();
  const direct = { ...system, routeTo: () => Promise.resolve(null) };
  expect(await proxyUrlFor(secure, null, {}, direct)).toBe('none');
  expect(asked).toEqual(['https://s3.example.com']);
});
