/**
 * The modules of undici that the S3 client uses. The whole package would add some 400 kB of `fetch`, WebSockets, cookies, caches
 * and mocks. Adds the API methods to the dispatcher, as undici's index does.
 */
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import buildConnector from 'undici/lib/core/connect.js';
import api from 'undici/lib/api/index.js';

Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent };
