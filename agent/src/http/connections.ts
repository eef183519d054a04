import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { SecureContext } from 'node:tls'

/** Connections are kept for the next request, until the server closes them. */
export type Connections = { http: HttpAgent; https: HttpsAgent }

/** Connections that trust the authorities of this context, or those that Node includes. */
export function openConnections(secureContext?: SecureContext): Connections {
  // As for other programs with Node: proxies of the environment are used if NODE_USE_ENV_PROXY says so.
  const proxyEnv = process.env.NODE_USE_ENV_PROXY === '1' ? process.env : undefined
  const options = { keepAlive: true, ...(proxyEnv && { proxyEnv }) }
  return {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, ...(secureContext && { secureContext }) }),
  }
}
