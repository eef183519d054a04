import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A socket on loopback that collects the packets it receives. */
export async function openPacketReceiver() {
  const socket = createSocket('udp4')
  const packets: Buffer[] = []
  socket.on('message', (packet) => packets.push(packet))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => {
    socket.close()
  })
  return { port: socket.address().port, packets }
}

/** The packet that wakes a computer: six bytes FF, then sixteen times its MAC address. */
export const magicPacketFor = (mac: string) => Buffer.from('ff'.repeat(6) + mac.repeat(16), 'hex')
