/**
 * What the S3 client uses of undici, taken by its parts: the whole brings `fetch`, WebSockets, a cookie jar, caches and mocks along,
 * some 400 kB that nothing here calls. As undici's own index does, a dispatcher is given its methods.
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
