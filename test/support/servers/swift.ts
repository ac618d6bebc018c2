import { freePorts, missingProgram, startServer, type RealServer, type ServerScript } from './real-server.ts';

export const swiftServer: ServerScript = {
  name: 'OpenStack Swift',
  script: 'swift-s3',
  programs: [
    'swift-ring-builder',
    'swift-proxy-server',
    'swift-account-server',
    'swift-container-server',
    'swift-object-server',
    'memcached',
  ],
  ports: async () => ({ SWIFT_PORT: String(await freePorts(5)) }),
};

/** Returns true if all of Swift's programs are installed. */
export function isSwiftInstalled(): boolean {
  return missingProgram(swiftServer) === null;
}

/**
 * Swift with its S3 front. The server and its account are shared by the run (it takes some 10 seconds to start), so name
 * buckets apart, unless `settings` of the script `swift-s3` are given.
 */
export async function startSwift(settings: Readonly<Record<string, string>> = {}): Promise<RealServer> {
  return await startServer(swiftServer, settings);
}
