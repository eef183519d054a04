import { execFileSync } from 'node:child_process'
import { crc32 } from 'node:zlib'
import { makeProgram } from './program.ts'
import { makeZip } from './zip.ts'

// Installers of tools that do not run here. They have the structures that these tools write and that is read, as their sources and
// the programs that unpack them describe it. Real ones were read as well: see docs/guides/installers.md.

const guid = (bytes: string) => Buffer.from(bytes, 'hex')

/** A bundle of WiX: the section that its engine looks for. */
export function makeBurn(): Buffer {
  const content = Buffer.alloc(64)
  content.writeUInt32LE(0x00f14300, 0)
  content.writeUInt32LE(2, 4)
  guid('78563412bc9af0de1122334455667788').copy(content, 8)
  return makeProgram({ sections: [{ name: '.wixburn', content }] })
}

export const burnBundleId = '{12345678-9ABC-DEF0-1122-334455667788}'

/** A program of Squirrel: the archive that it installs is a resource. */
export function makeSquirrel(): Buffer {
  const archive = makeZip([
    { name: 'Update.exe', content: 'MZ' },
    { name: 'RELEASES', content: 'hash SampleChat-5.6.7-full.nupkg 1' },
    { name: 'SampleChat-5.6.7-full.nupkg', content: 'PK' },
  ])
  return makeProgram({ resources: [{ type: 'DATA', name: 131, content: () => archive }] })
}

/** A self-extracting archive of 7-Zip that runs a program. */
export const makeSevenZip = () =>
  makeProgram({
    sections: [{ name: '.text', content: Buffer.alloc(16) }],
    overlay: () =>
      Buffer.concat([
        Buffer.from(';!@Install@!UTF-8!\nTitle="Sample"\nRunProgram="setup.exe /quiet"\n;!@InstallEnd@!'),
        Buffer.from('377abcaf271c0004', 'hex'),
      ]),
  })

export const makeInstallShield = () =>
  makeProgram({
    sections: [{ name: '.text', content: Buffer.alloc(16) }],
    overlay: () => Buffer.concat([Buffer.from('ISSetupStream\0'), Buffer.alloc(64)]),
  })

const innoTexts = (texts: Record<number, string>) =>
  Array.from({ length: 34 }, (_, index) => Buffer.from(texts[index] ?? '', 'utf16le'))

/** An installer of Inno Setup 6.4: the table of offsets is a resource, and leads to the packed header. */
export function makeInno(texts: Record<number, string>): Buffer {
  const header = Buffer.concat(innoTexts(texts).flatMap((text) => [uint32(text.length), text]))
  const packed = packLzma(header)
  const chunks: Buffer[] = []
  for (let at = 0; at < packed.length; at += 4096) {
    const chunk = packed.subarray(at, at + 4096)
    chunks.push(uint32(crc32(chunk)), chunk)
  }
  const stored = Buffer.concat(chunks)
  const blockStart = Buffer.concat([uint32(stored.length), Buffer.from([1])])
  const version = Buffer.alloc(64)
  version.write('Inno Setup Setup Data (6.4.0.1)')
  const setup = Buffer.concat([version, uint32(crc32(blockStart)), blockStart, stored])
  return makeProgram({
    resources: [{ type: 10, name: 11_111, content: offsetTable }],
    overlay: () => setup,
  })
}

function offsetTable(overlayPosition: number): Buffer {
  const mark = Buffer.concat([Buffer.from('rDlPtS'), Buffer.from('cde6d77b0b2a', 'hex')])
  return Buffer.concat([mark, ...[1, 0, 0, 0, 0, overlayPosition, 0, 0].map(uint32)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const packingScript = `
import lzma, sys
data = lzma.compress(sys.stdin.buffer.read(), lzma.FORMAT_ALONE)
sys.stdout.buffer.write(data[:5] + data[13:])
`

/** Packs with the reference implementation of LZMA, in the form without a length that Inno Setup uses. */
export const packLzma = (content: Buffer) => execFileSync('python3', ['-c', packingScript], { input: content })
