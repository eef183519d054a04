import { visibleLine } from '@muster/text'
import type { LogEvent } from '../machine.ts'
import koffi from './koffi.ts'
import { library } from './win32/library.ts'

const advapi32 = library('advapi32.dll', {
  RegisterEventSourceW: ['intptr', 'str16', 'str16'],
  ReportEventW: ['int', 'intptr', 'uint16', 'uint16', 'uint32', 'void *', 'uint16', 'uint32', 'void *', 'void *'],
})

const sourceName = 'Muster Agent'
const [error, warning, information] = [1, 2, 4]

/**
 * The number and the kind of each event. People filter by the numbers, so they never change. The MSI registers a file of
 * Windows as the source of messages, in which all numbers up to 1000 mean the text alone.
 */
export const events: Record<LogEvent, { id: number; type: number }> = {
  Started: { id: 100, type: information },
  Stopped: { id: 101, type: information },
  StartFailed: { id: 102, type: error },
  Enrolled: { id: 110, type: information },
  ContactLost: { id: 120, type: warning },
  ContactRestored: { id: 121, type: information },
  WorkFailed: { id: 130, type: warning },
  UpdateTakenBack: { id: 140, type: error },
  ConfigurationRefused: { id: 150, type: error },
  ConfigurationUnused: { id: 151, type: information },
}

const maxLength = 30_000

let source: number | undefined

/** Adds an entry to the application log of Windows. Does nothing if that is not possible. */
export function writeEvent(line: string, event: LogEvent): void {
  source ??= advapi32.RegisterEventSourceW(null, sourceName)
  if (source === 0) return
  const { id, type } = events[event]
  const text = Buffer.from(`${visibleLine(line).slice(0, maxLength)}\0`, 'utf16le')
  const texts = Buffer.alloc(8)
  texts.writeBigUInt64LE(BigInt(koffi.address(text)), 0)
  advapi32.ReportEventW(source, type, 0, id, null, 1, 0, texts, null)
}
