import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Configuration } from './configuration.ts'

/** A computer to wake, and the broadcast address of its network; null if the network is unknown. */
export type WakeUp = { id: number; macAddress: string; address: string | null }

export type WakeSettings = Pick<Configuration, 'wakeAddress' | 'wakePort'>

const everyNetwork = '255.255.255.255'
const batchSize = 20
const millisecondsPerPacket = 5

/** Sends one magic packet per computer, at most 200 per second, and returns the ids of those that were sent. */
export async function sendMagicPackets(wakeUps: readonly WakeUp[], settings: WakeSettings): Promise<Set<number>> {
  const sent = new Set<number>()
  for (let start = 0; start < wakeUps.length; start += batchSize) {
    const batch = wakeUps.slice(start, start + batchSize)
    const sending = batch.map(async ({ id, macAddress, address }) => {
      const target = settings.wakeAddress ?? address ?? everyNetwork
      // A packet that cannot be sent is not an error of the batch: the caller misses its id and tries again.
      if (await sendPacket(macAddress, target, settings.wakePort).catch(() => false)) sent.add(id)
    })
    await Promise.all([sleep(batch.length * millisecondsPerPacket), ...sending])
  }
  return sent
}

async function sendPacket(macAddress: string, address: string, port: number): Promise<true> {
  const packet = toMagicPacket(macAddress)
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  try {
    socket.bind()
    await once(socket, 'listening')
    socket.setBroadcast(true)
    await new Promise<void>((resolve, reject) => {
      socket.send(packet, port, address, (error) => (error ? reject(error) : resolve()))
    })
    return true
  } finally {
    socket.close()
  }
}

/** Six bytes of 0xff, then the MAC address sixteen times. */
function toMagicPacket(macAddress: string): Buffer {
  const digits = macAddress.replaceAll(/[^\da-f]/gi, '')
  if (digits.length !== 12) throw new Error(`${macAddress} is not a MAC address.`)
  return Buffer.from('ff'.repeat(6) + digits.repeat(16), 'hex')
}
