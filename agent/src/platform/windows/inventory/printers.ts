import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { WindowsSources } from './sources.ts'
import { listUserIds } from './user-hives.ts'
import { byText, listed, textOf, textsOf, wholeOf } from './values.ts'

export async function collectPrinters(sources: WindowsSources) {
  const rows = await sources.rows(questions.printers)
  if (!rows) return undefined
  const drivers = (await sources.rows(questions.printerDrivers)) ?? []
  return { items: toPrinters(rows, drivers, await userDefaults(sources)) }
}

/** Each user has a default printer; the system account, as which the agent runs, has none. */
async function userDefaults(sources: WindowsSources): Promise<Set<string>> {
  const names = new Set<string>()
  for (const user of await listUserIds(sources)) {
    const values = await sources.values('HKU', `${user}\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Windows`)
    // `Floor 2,winspool,Ne01:`
    const name = textOf(values?.Device)?.replace(/,[^,]*,[^,]*$/, '')
    if (name) names.add(name)
  }
  return names
}

export function toPrinters(rows: readonly WmiRow[], drivers: readonly WmiRow[], defaults: ReadonlySet<string>) {
  const items = rows.map((row) => {
    const driver = drivers.find(({ Name }) => Name === row.DriverName)
    const [name, port] = [textOf(row.Name), textOf(row.PortName, 1000)]
    return {
      name,
      port,
      shareName: textOf(row.ShareName),
      driverName: textOf(row.DriverName),
      driverVersion: fourNumbers(textOf(driver?.DriverVersion)),
      comment: textOf(row.Comment, 1000),
      caption: textOf(row.Caption, 1000),
      capabilityDescriptions: listed(textsOf(row.CapabilityDescriptions)),
      isNetworkPrinter: row.Network === true || networkPort.test(port ?? ''),
      isDefault: name !== null && (defaults.size > 0 ? defaults.has(name) : row.Default === true),
      horizontalResolution: wholeOf(row.HorizontalResolution),
      verticalResolution: wholeOf(row.VerticalResolution),
    }
  })
  return items.toSorted((a, b) => byText(a.name ?? '', b.name ?? ''))
}

/** Ports of TCP/IP, of web services, and shares of another computer. */
const networkPort = /^(IP_|WSD|https?:|ipps?:|\\\\|\d+\.\d+\.\d+\.\d+)/i

/** Windows packs four numbers of 16 bits into one. */
function fourNumbers(packed: string | null): string | null {
  if (packed === null || !/^\d+$/.test(packed)) return packed
  const number = BigInt(packed)
  return [48n, 32n, 16n, 0n].map((shift) => (number >> shift) & 0xffffn).join('.')
}
