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
 * Starts Swift with its S3 API. Without `settings` for the script `swift-s3`, joins the shared server of the run (a start takes
 * about 10 seconds). Its account is also shared, so tests need different bucket names.
 */
export async function startSwift(settings: Readonly<Record<string, string>> = {}): Promise<RealServer> {
  return await startServer(swiftServer, settings);
}
