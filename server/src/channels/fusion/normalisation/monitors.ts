import { parseEdid } from './edid.ts'
import { type Entry, entriesOf, told, whole } from './values.ts'

export function monitors(content: Entry) {
  return entriesOf(content.monitors).map((monitor) => {
    const edid = parseEdid(Buffer.from(told(monitor.base64, 10_000) ?? '', 'base64'))
    const [, week, year] = /^(\d{1,2})\/(\d{4})$/.exec(told(monitor.description, 20) ?? '') ?? []
    const name = told(monitor.caption) ?? edid?.name ?? null
    return {
      caption: name,
      manufacturer: told(monitor.manufacturer) ?? edid?.vendorId ?? null,
      monitorType: edid ? (edid.isDigital ? 'Digital' : 'Analog') : null,
      monitorName: edid?.name ?? name,
      serialNumber: told(monitor.serial) ?? told(monitor.altserial),
      vendorId: edid?.vendorId ?? null,
      monitorSize: edid ? diagonal(edid.widthCm, edid.heightCm) : null,
      screenWidth: edid?.pixels?.width ?? null,
      screenHeight: edid?.pixels?.height ?? null,
      pixelsPerXLogicalInch: density(edid?.pixels?.width, edid?.widthCm),
      pixelsPerYLogicalInch: density(edid?.pixels?.height, edid?.heightCm),
      manufacturingYear: whole(year) ?? edid?.year ?? null,
      manufacturingWeek: whole(week) ?? edid?.week ?? null,
    }
  })
}

const centimetresPerInch = 2.54

/** In inches. Projectors have no size. */
function diagonal(widthCm: number, heightCm: number): string | null {
  if (widthCm === 0 || heightCm === 0) return null
  return (Math.hypot(widthCm, heightCm) / centimetresPerInch).toFixed(1)
}

function density(pixels: number | undefined, centimetres: number | undefined): number | null {
  return pixels && centimetres ? Math.round((pixels * centimetresPerInch) / centimetres) : null
}
