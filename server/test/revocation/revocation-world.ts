import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createLocalPrincipalSecret } from '../../src/features/principals/api/create-local-principal-secret.ts'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import type { Configuration } from '../../src/platform/configuration.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import type { Caller } from '../world/caller.ts'
import type { Change } from './promises.ts'

/** Something that is open, and the change that ends the right behind it. */
export type Opened = {
  change(change: Change | 'deleted'): Promise<unknown>
  /** Checks once, after the promised delay, whether the one who opened it still gets something. */
  continues(): Promise<boolean>
}

export type Opener = Caller & { id: number; clientId: string; secret: string; token: string }

type Rights = {
  roles: readonly Role[]
  /** The role that is lost. */
  lost: Role
}

export async function openRevocationWorld(configuration: Partial<Configuration>) {
  const world = await openAgentWorld({ signInRateLimit: 0, ...configuration })
  const { app, as, database, given, withToken } = world
  // What is open is open on one node, and its right ends on another.
  const node = await buildApp({ database, configuration: app.services.configuration })
  afterAll(() => node.http.close())
  await node.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = node.http.server.address() as AddressInfo
  const administrator = as('admin.manage')

  async function newOpener({ roles }: Pick<Rights, 'roles'>): Promise<Opener> {
    const principal = await given.localPrincipal({ roles })
    const token = await app.services.tokens.issue(principal.id)
    return { ...principal, token, ...withToken(token) }
  }

  /** Time passes without a write, so no trigger runs. */
  async function expire({ id }: Opener): Promise<void> {
    await database.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update local_principals set expires_at = now() - interval '1 second' where principal_id = ${id}`.execute(
        tx,
      )
    })
  }

  const endRight = (of: Opener, { roles, lost }: Rights): Record<Change | 'deleted', () => Promise<unknown>> => {
    const params = { id: of.id }
    const left = roles.filter((role) => role !== lost)
    return {
      revoked: () => administrator.call(setLocalPrincipalRevoked, { params, body: { isRevoked: true } }),
      deleted: () => administrator.call(deleteLocalPrincipal, { params }),
      roleLost: () =>
        administrator.call(updateLocalPrincipal, {
          params,
          body: { description: null, expiresAtUtc: null, roles: left },
        }),
      expired: () => expire(of),
      secretReplaced: () => administrator.call(createLocalPrincipalSecret, { params, body: { previousValidHours: 0 } }),
    }
  }

  return {
    ...world,
    node,
    administrator,
    newOpener,
    /** Something that a new principal opens. `open` returns how to try it. */
    async openedBy(rights: Rights, open: (opener: Opener) => Promise<Opened['continues']>): Promise<Opened> {
      const opener = await newOpener(rights)
      const continues = await open(opener)
      return { change: (change) => endRight(opener, rights)[change](), continues }
    },
    connect: (options: RequestOptions) => connect({ ...options, port }),
  }
}

export type RevocationWorld = Awaited<ReturnType<typeof openRevocationWorld>>

export type Connection = {
  sent: ClientRequest
  response(): Promise<IncomingMessage>
}

/** A request on a connection of its own, which ends with the test. */
export function connect(options: RequestOptions): Connection {
  const sent = request({ agent: false, ...options })
  sent.on('error', () => {})
  onTestFinished(() => void sent.destroy())
  return {
    sent,
    async response() {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.on('error', () => {})
      return response
    },
  }
}

export const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

/** Reads until the answer ends or breaks off, and returns how many bytes came. */
export async function readToEnd(response: IncomingMessage): Promise<number> {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve))
  return bytes
}
