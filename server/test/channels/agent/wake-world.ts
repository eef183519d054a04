import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, onTestFinished } from 'vitest'
import { type App, buildApp } from '../../../src/app.ts'
import { type ConnectedDatabase, connect } from '../../../src/database/connect.ts'
import type { Configuration } from '../../../src/platform/configuration.ts'
import { until } from '../../database/embedded-postgres/muster.ts'
import { openTransactionPooler } from '../../world/transaction-pooler.ts'
import { openAgentWorld } from './agent-world.ts'

export type Listening = {
  response: IncomingMessage
  /** What has arrived. */
  received(): string
  /** How often the agent was called. */
  calls(): number
  isClosed(): boolean
  close(): void
}

/** Opens a wake connection, and waits for its first sign of life. */
export async function listen(port: number, credential: string, localAddress = '127.0.0.1'): Promise<Listening> {
  const headers = { authorization: `Bearer ${credential}` }
  const sent = request({ host: '127.0.0.1', port, path: '/agent/v1/wake', headers, agent: false, localAddress })
  onTestFinished(() => void sent.destroy())
  let text = ''
  let isClosed = false
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end()
  })
  sent.on('error', () => {})
  response.on('error', () => {})
  response.once('close', () => {
    isClosed = true
  })
  response.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  await until(() => (text.length > 0 || isClosed ? true : undefined))
  return {
    response,
    received: () => text,
    calls: () => text.split('contact\n').length - 1,
    isClosed: () => isClosed,
    close: () => sent.destroy(),
  }
}

const portOf = ({ http }: App) => (http.server.address() as AddressInfo).port

/** A world whose service listens, and further nodes on the same database. */
export async function openWakeWorld(configuration: Partial<Configuration> = {}) {
  const world = await openAgentWorld(configuration)
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  const settings = world.app.services.configuration

  async function startNode(database: ConnectedDatabase, changes: Partial<Configuration> = {}) {
    const node = await buildApp({ database, configuration: { ...settings, ...changes } })
    await node.http.listen({ host: '127.0.0.1', port: 0 })
    return { ...node, port: portOf(node) }
  }

  return {
    ...world,
    port: portOf(world.app),
    async node(changes: Partial<Configuration> = {}) {
      const node = await startNode(world.database, changes)
      onTestFinished(() => node.http.close())
      return node
    },
    /** A node behind a pooler that swallows notifications. */
    async pooledNode() {
      const database = connect(await openTransactionPooler(world.database.connection, 12))
      afterAll(() => database.close())
      const node = await startNode(database)
      onTestFinished(() => node.http.close())
      return node
    },
    /** Waits until the database knows that the computer is connected, or that it is not. */
    isConnected: (computerId: number, expected: boolean) =>
      until(async () => {
        const row = await world.db
          .selectFrom('connected_computers')
          .select('computer_id')
          .where('computer_id', '=', computerId)
          .executeTakeFirst()
        return (row !== undefined) === expected ? true : undefined
      }),
  }
}
