import type { AddressInfo } from 'node:net'
import type { ClientCredentials } from '@muster/client'
import { afterAll } from 'vitest'
import { roleNames } from '../../server/src/platform/roles.ts'
import { openWorld, type World } from '../../server/test/world/open-world.ts'

export type ServedWorld = { address: string; credentials: ClientCredentials }

/** Serves a world on a port, with the credentials of a principal that has all roles. */
export async function serveWorld({ app, given }: Pick<World, 'app' | 'given'>): Promise<ServedWorld> {
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  // A connection on which a client was interrupted before it sent anything would keep the service open for a minute. It may be
  // accepted only now.
  afterAll(() => {
    app.http.server.on('connection', (socket) => socket.destroy()).closeAllConnections()
  })
  const { port } = app.http.server.address() as AddressInfo
  const { clientId, secret } = await given.localPrincipal({ roles: roleNames })
  return { address: `http://127.0.0.1:${port}`, credentials: { clientId, clientSecret: secret } }
}

export async function openClientWorld(): Promise<World & ServedWorld> {
  const world = await openWorld()
  return { ...world, ...(await serveWorld(world)) }
}
