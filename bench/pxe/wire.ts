import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What the DHCP server answers to the question what to boot. */
export type BootFiles = {
  /** The file that the firmware loads over TFTP. */
  loader: string
  /** What iPXE gets once it was loaded. */
  script: string
}

export type Wire = {
  /** Ports of the two ends: the network card of the computer, and the network with DHCP, TFTP and routing. */
  ports: { computer: number; network: number }
  /** Whether the computer was given the script, which happens after it has loaded iPXE. */
  hasGivenScript(): boolean
  close(): void
}

/**
 * A network cable between a virtual computer and the network that QEMU provides. The network answers every DHCP request
 * with the same boot file. On this cable, the answers name the loader until the loader was fetched, and the script
 * afterwards, as the DHCP server of the guide does.
 */
export async function openWire(files: BootFiles): Promise<Wire> {
  let bootFile = files.loader
  let hasGivenScript = false
  const sockets: { computer?: Socket; network?: Socket } = {}
  const listen = async (end: 'computer' | 'network', forward: (frame: Buffer) => void) => {
    const server = createServer((socket) => {
      sockets[end] = socket
      socket.on('error', () => socket.destroy())
      readFrames(socket, forward)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const computer = await listen('computer', (frame) => {
    if (udpPorts(frame)?.to === ports.tftp) bootFile = files.script
    sockets.network?.write(withLength(frame))
  })
  const network = await listen('network', (frame) => {
    if (udpPorts(frame)?.from === ports.dhcp) {
      setBootFile(frame, bootFile)
      hasGivenScript ||= bootFile === files.script
    }
    sockets.computer?.write(withLength(frame))
  })
  const portOf = (server: typeof computer) => (server.address() as AddressInfo).port
  return {
    ports: { computer: portOf(computer), network: portOf(network) },
    hasGivenScript: () => hasGivenScript,
    close() {
      for (const socket of Object.values(sockets)) socket.destroy()
      for (const server of [computer, network]) server.close()
    },
  }
}

const ports = { dhcp: 67, tftp: 69 }
/** Ethernet has 14 bytes, IPv4 without options 20, UDP 8. */
const [ipOffset, udpOffset, dhcpOffset] = [14, 34, 42]
const bootFileOffset = dhcpOffset + 108
const bootFileBytes = 128

function udpPorts(frame: Buffer): { from: number; to: number } | undefined {
  const isUdp = frame.length > dhcpOffset && frame.readUInt16BE(12) === 0x0800 && frame[ipOffset + 9] === 17
  return isUdp ? { from: frame.readUInt16BE(udpOffset), to: frame.readUInt16BE(udpOffset + 2) } : undefined
}

function setBootFile(frame: Buffer, name: string): void {
  frame.fill(0, bootFileOffset, bootFileOffset + bootFileBytes)
  frame.write(name, bootFileOffset)
  // Zero means that there is no checksum.
  frame.writeUInt16BE(0, udpOffset + 6)
}

/** QEMU precedes each Ethernet frame with its length. */
function readFrames(socket: Socket, handle: (frame: Buffer) => void): void {
  let received = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
      const end = 4 + received.readUInt32BE(0)
      handle(Buffer.from(received.subarray(4, end)))
      received = received.subarray(end)
    }
  })
}

function withLength(frame: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(frame.length)
  return Buffer.concat([length, frame])
}
