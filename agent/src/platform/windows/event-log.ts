import koffi from './koffi.ts'
import { library } from './win32/library.ts'

const advapi32 = library('advapi32.dll', {
  RegisterEventSourceW: ['intptr', 'str16', 'str16'],
  ReportEventW: ['int', 'intptr', 'uint16', 'uint16', 'uint32', 'void *', 'uint16', 'uint32', 'void *', 'void *'],
})

const sourceName = 'Muster Agent'
const information = 4
/** The MSI registers a file of Windows as the source of messages, in which this number means the text alone. */
const textAlone = 1
const maxLength = 30_000

let source: number | undefined

/** Adds an entry to the application log of Windows. Does nothing if that is not possible. */
export function writeEvent(line: string): void {
  source ??= advapi32.RegisterEventSourceW(null, sourceName)
  if (source === 0) return
  const text = Buffer.from(`${line.slice(0, maxLength)}\0`, 'utf16le')
  const texts = Buffer.alloc(8)
  texts.writeBigUInt64LE(BigInt(koffi.address(text)), 0)
  advapi32.ReportEventW(source, information, 0, textAlone, null, 1, 0, texts, null)
}
