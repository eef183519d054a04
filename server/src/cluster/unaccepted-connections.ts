import type { Worker } from 'node:cluster'

type Handover = { key?: unknown }
type Connection = { close(): void }

/**
 * Closes the connections that were being handed to a worker when it died. Node keeps them open, so their clients would
 * wait forever. Node hands the next connection of a listener over when the worker has accepted the last one, and then
 * closes its own copy of that one.
 */
export function closeUnacceptedConnections(worker: Worker): void {
  const child = worker.process
  const lastOfListener = new Map<unknown, Connection>()
  const send = child.send as (message: Handover, connection?: Connection, ...rest: unknown[]) => boolean
  child.send = ((message: Handover, connection?: Connection, ...rest: unknown[]) => {
    if (connection) lastOfListener.set(message.key, connection)
    return send.call(child, message, connection, ...rest)
  }) as typeof child.send
  // Closing one that is already closed has no effect.
  worker.once('exit', () => {
    for (const connection of lastOfListener.values()) connection.close()
  })
}
