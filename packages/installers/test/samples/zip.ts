import { crc32, deflateRawSync } from 'node:zlib'

export type ZipSampleEntry = {
  name: string
  content?: string | Buffer
  isDeflated?: boolean
  /** What the archive says, which can be a lie. */
  statedBytes?: number
}

/** Makes a ZIP archive. */
export function makeZip(entries: readonly ZipSampleEntry[], comment = ''): Buffer {
  const [files, directory] = [[] as Buffer[], [] as Buffer[]]
  let position = 0
  for (const { name, content = '', isDeflated = false, statedBytes } of entries) {
    const plain = Buffer.from(content)
    const stored = isDeflated ? deflateRawSync(plain) : plain
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(isDeflated ? 8 : 0, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(stored.length, 14)
    common.writeUInt32LE(statedBytes ?? plain.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, Buffer.from(name), stored])
    const end = Buffer.alloc(14)
    end.writeUInt32LE(position, 10)
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), common, end, Buffer.from(name)]))
    files.push(local)
    position += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(entries.length % 65_536, 8)
  end.writeUInt16LE(entries.length % 65_536, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(position, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return Buffer.concat([...files, listed, end, Buffer.from(comment)])
}
