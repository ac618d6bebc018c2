import { describe, expect, test } from 'vitest';
import { proxiesIn, systemProxy } from '../../../electron/host/system-proxy.ts';
import { errorOf, fakeClock } from '../../support/servers/s3-client.ts';

describe('the rules of a PAC file', () => {
  test.each([
    ['DIRECT', [null]],
    ['PROXY a:8080; DIRECT', ['http://a:8080', null]],
    ['HTTPS b:443;SOCKS5 c:1080', ['https://b:443', 'socks5://c:1080']],
    ['proxy a:1 ; ; direct', ['http://a:1', null]],
    ['SOCKS d:1080; PROXY', []],
    ['PROXY [::1]:3128', ['http://[::1]:3128']],
  ])('%s name %j', (rules, proxies) => {
    expect(proxiesIn(rules)).toEqual(proxies);
  });
});

describe("the system's proxy", () => {
  test('is requested once a minute for each origin', async () => {
    const clock = fakeClock();
    const asked: string[] = [];
    const system = systemProxy((url) => {
      asked.push(url);
      return Promise.resolve('PROXY a:1');
    }, clock);
    expect(await system.routeTo('https://s3.example')).toBe('http://a:1');
    await system.routeTo('https://s3.example');
    await system.routeTo('https://b.s3.example');
    expect(asked).toEqual(['https://s3.example/', 'https://b.s3.example/']);
    clock.advance(60_000);
    await system.routeTo('https://s3.example');
    expect(asked).toHaveLength(3);
  });

  test('that does not respond is avoided for five minutes if the rules name another one', async () => {
    const clock = fakeClock();
    const system = systemProxy(() => Promise.resolve('PROXY a:1; DIRECT'), clock);
    system.avoid('http://a:1');
    expect(await system.routeTo('https://s3.example')).toBeNull();
    clock.advance(5 * 60_000);
    expect(await system.routeTo('https://s3.example')).toBe('http://a:1');
  });

  test('is tried again if the rules name no other one', async () => {
    const system = systemProxy(() => Promise.resolve('PROXY a:1'), fakeClock());
    system.avoid('http://a:1');
    expect(await system.routeTo('https://s3.example')).toBe('http://a:1');
  });

  test('of an unsupported kind is reported, and no request bypasses it', async () => {
    const system = systemProxy(() => Promise.resolve('SOCKS old:1080'), fakeClock());
    expect(await errorOf(system.routeTo('https://s3.example'))).toMatchObject({ reason: 'proxy-invalid' });
  });

  test('is requested again after a failure', async () => {
    let fails = true;
    const resolve = () => (fails ? Promise.reject(new Error('no PAC file')) : Promise.resolve('DIRECT'));
    const system = systemProxy(resolve, fakeClock());
    await expect(system.routeTo('https://s3.example')).rejects.toThrow('no PAC file');
    fails = false;
    expect(await system.routeTo('https://s3.example')).toBeNull();
  });
});
