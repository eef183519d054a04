import { type Edid, parseEdid } from '../../common/edid.ts'
import { cleanText } from '../../common/texts.ts'
import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { WindowsSources } from './sources.ts'
import { charactersOf, textOf, wholeOf } from './values.ts'

const enumerated = 'SYSTEM\\CurrentControlSet\\Enum'

export async function collectMonitors(sources: WindowsSources) {
  const rows = await sources.rows(questions.monitors)
  if (!rows) return undefined
  const items = []
  for (const row of rows) {
    // The instance of WMI is that of the device, followed by `_0`.
    const device = textOf(row.InstanceName)?.replace(/_\d+$/, '')
    const values = device && (await sources.values('HKLM', `${enumerated}\\${device}\\Device Parameters`))
    const bytes = values ? values.EDID : undefined
    items.push(toMonitor(row, Buffer.isBuffer(bytes) ? parseEdid(bytes) : undefined))
  }
  return { items }
}

/** Common vendors by their three letters, which is all that a monitor states. */
const makers: Record<string, string> = {
  ...{ ACR: 'Acer', AOC: 'AOC', AUO: 'AU Optronics', BNQ: 'BenQ', BOE: 'BOE', CMN: 'Chimei Innolux', DEL: 'Dell Inc.' },
  ...{ ENC: 'EIZO', FUS: 'Fujitsu', GSM: 'LG', HPN: 'HP', HWP: 'HP', IVM: 'iiyama', LEN: 'Lenovo', LGD: 'LG Display' },
  ...{ NEC: 'NEC', PHL: 'Philips', SAM: 'Samsung', SDC: 'Samsung Display', SHP: 'Sharp', VSC: 'ViewSonic' },
}

/** WMI states who made the monitor and when; its size and resolution are in its EDID. */
export function toMonitor(row: WmiRow, edid: Edid | undefined) {
  const vendorId = cleanText(charactersOf(row.ManufacturerName) ?? edid?.vendorId, 10)
  const name = charactersOf(row.UserFriendlyName) ?? cleanText(edid?.name)
  return {
    caption: name ?? vendorId,
    manufacturer: makers[vendorId ?? ''] ?? vendorId,
    monitorType: edid ? (edid.isDigital ? 'Digital' : 'Analog') : null,
    monitorName: name,
    serialNumber: serialNumber(row) ?? cleanText(edid?.serialNumber),
    vendorId,
    monitorSize: edid ? diagonal(edid) : null,
    screenWidth: edid?.preferred?.width ?? null,
    screenHeight: edid?.preferred?.height ?? null,
    pixelsPerXLogicalInch: density(edid?.preferred?.width, edid?.widthCm),
    pixelsPerYLogicalInch: density(edid?.preferred?.height, edid?.heightCm),
    manufacturingYear: wholeOf(row.YearOfManufacture) ?? edid?.year ?? null,
    manufacturingWeek: wholeOf(row.WeekOfManufacture) ?? edid?.week ?? null,
  }
}

/** Monitors without a serial number state 0. */
function serialNumber(row: WmiRow): string | null {
  const text = charactersOf(row.SerialNumberID)
  return text === '0' ? null : text
}

const centimetresPerInch = 2.54

/** In inches. Projectors have no size. */
function diagonal({ widthCm, heightCm }: Edid): string | null {
  if (widthCm === 0 || heightCm === 0) return null
  return (Math.hypot(widthCm, heightCm) / centimetresPerInch).toFixed(1)
}

function density(pixels: number | undefined, centimetres: number | undefined): number | null {
  return pixels && centimetres ? Math.round((pixels * centimetresPerInch) / centimetres) : null
}
