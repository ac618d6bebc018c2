import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';
import * as fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSameUserPeer, ownerOfPeer, type Ends } from '../../../electron/browser/peer.ts';

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

/** Returns a row of /proc/net/tcp as the kernel writes it on a little-endian machine. */
function row(local: string, remote: string, uid: number, state = '01'): string {
  return `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 31337 1 0000000000000000 20 4 30 10 -1`;
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
const loopback = '0100007F';
const mapped = `0000000000000000FFFF0000${loopback}`;
const six = '00000000000000000000000001000000';
const ends = (change: Partial<Ends> = {}): Ends => ({
  remoteAddress: '127.0.0.1',
  remotePort: 50_000,
  localAddress: '127.0.0.1',
  localPort: 4000,
  ...change,
});
const client = hexPort(50_000);
const server = hexPort(4000);

describe('the owner of the other end of a connection', () => {
  test("is read from the peer's row, not from this process's row", () => {
    const table = [
      header,
      row(`${loopback}:${server}`, `${loopback}:${client}`, 1000),
      row(`${loopback}:${client}`, `${loopback}:${server}`, 1001),
    ].join('\n');
    expect(ownerOfPeer([table, header], ends(), 'LE')).toBe(1001);
  });

  test('is found for IPv4-mapped and IPv6 loopback addresses', () => {
    const asked = row(`${mapped}:${client}`, `${mapped}:${server}`, 1002);
    expect(ownerOfPeer([header, asked], ends(), 'LE')).toBe(1002);
    expect(ownerOfPeer([header, asked], ends({ remoteAddress: '::ffff:127.0.0.1' }), 'LE')).toBe(1002);
    const overSix = row(`${six}:${client}`, `${six}:${server}`, 1003);
    const asSix = ends({ remoteAddress: '::1', localAddress: '::1' });
    expect(ownerOfPeer([header, overSix], asSix, 'LE')).toBe(1003);
    expect(ownerOfPeer([header, overSix], ends(), 'LE')).toBeNull();
  });

  test('is unknown for a closed socket, whose row says 0', () => {
    for (const state of ['04', '05', '06', '07', '08', '0A'])
      expect(
        ownerOfPeer([row(`${loopback}:${client}`, `${loopback}:${server}`, 0, state)], ends(), 'LE'),
      ).toBeNull();
  });

  test('is unknown without a matching row, with conflicting rows or a truncated one', () => {
    const line = row(`${loopback}:${client}`, `${loopback}:${server}`, 1);
    expect(ownerOfPeer([], ends(), 'LE')).toBeNull();
    expect(ownerOfPeer([header], ends(), 'LE')).toBeNull();
    expect(
      ownerOfPeer([line, row(`${mapped}:${client}`, `${mapped}:${server}`, 2)], ends(), 'LE'),
    ).toBeNull();
    expect(ownerOfPeer([line.slice(0, 60)], ends(), 'LE')).toBeNull();
  });
});

/** Returns the server's end of a loopback connection of this program. */
async function accepted(): Promise<net.Socket> {
  const listening = net.createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const connecting = net.createConnection((listening.address() as net.AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(listening, 'connection')) as [net.Socket];
  onTestFinished(() => {
    connecting.destroy();
    socket.destroy();
    listening.close();
  });
  return socket;
}

describe.runIf(process.platform === 'linux')('a local connection', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('is accepted only if its other end belongs to this account', async () => {
    vi.spyOn(os, 'release').mockReturnValue('6.1.0');
    const socket = await accepted();
    expect(isSameUserPeer(socket)).toBe(true);
    // Changes this process's user id, because the real owner of the connection is this user.
    vi.spyOn(process, 'geteuid').mockReturnValue(54_321);
    expect(isSameUserPeer(socket)).toBe(false);
  });

  test('is refused if no table lists it, except under WSL', () => {
    const unlisted = ends({ remotePort: 1, localPort: 1 }) as net.Socket;
    vi.spyOn(os, 'release').mockReturnValue('6.1.0');
    expect(isSameUserPeer(unlisted)).toBe(false);
    vi.spyOn(os, 'release').mockReturnValue('5.15.153.1-microsoft-standard-WSL2');
    expect(isSameUserPeer(unlisted)).toBe(true);
  });
});

const port = fc.integer({ min: 1, max: 65_535 });
const address = fc.ipV4();
const littleEndian = (text: string): string =>
  text
    .split('.')
    .toReversed()
    .map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
    .join('');

const text = (end: { readonly address: string; readonly port: number }): string =>
  `${littleEndian(end.address)}:${hexPort(end.port)}`;

test('with both ends matching is found among other rows', () => {
  const end = fc.record({ address, port });
  const other = fc.record({ local: end, remote: end, uid: fc.nat(100_000) });
  fc.assert(
    fc.property(end, end, fc.nat(100_000), fc.array(other, { maxLength: 20 }), (far, near, uid, others) => {
      const rows = others.filter(
        ({ local, remote }) => text(local) !== text(far) || text(remote) !== text(near),
      );
      const table = [
        header,
        ...rows.map((socket) => row(text(socket.local), text(socket.remote), socket.uid)),
      ];
      const asked = {
        remoteAddress: far.address,
        remotePort: far.port,
        localAddress: near.address,
        localPort: near.port,
      };
      expect(ownerOfPeer([table.join('\n')], asked, 'LE')).toBeNull();
      expect(ownerOfPeer([[...table, row(text(far), text(near), uid)].join('\n')], asked, 'LE')).toBe(uid);
    }),
  );
});

test("looking up the owner of a peer never throws, whatever the peer's address and the tables are", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (table, remoteAddress) => {
      expect(ownerOfPeer([table], ends({ remoteAddress }), 'BE')).toBeNull();
    }),
  );
});
