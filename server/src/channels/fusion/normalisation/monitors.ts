import { parseEdid } from './edid.ts'
import { type Entry, entriesOf, toText, toWholeNumber } from './values.ts'

export function toMonitors(content: Entry) {
  return entriesOf(content.monitors).map((monitor) => {
    const edid = edidOf(monitor)
    const [, week, year] = /^(\d{1,2})\/(\d{4})$/.exec(toText(monitor.description, 20) ?? '') ?? []
    const name = toText(monitor.caption) ?? edid?.name ?? null
    return {
      caption: name,
      manufacturer: toText(monitor.manufacturer) ?? edid?.vendorId ?? null,
      monitorType: edid ? (edid.isDigital ? 'Digital' : 'Analog') : null,
      monitorName: edid?.name ?? name,
      serialNumber: toText(monitor.serial) ?? toText(monitor.altserial),
      vendorId: edid?.vendorId ?? null,
      monitorSize: edid ? formatDiagonal(edid.widthCm, edid.heightCm) : null,
      screenWidth: edid?.preferred?.width ?? null,
      screenHeight: edid?.preferred?.height ?? null,
      pixelsPerXLogicalInch: toDensity(edid?.preferred?.width, edid?.widthCm),
      pixelsPerYLogicalInch: toDensity(edid?.preferred?.height, edid?.heightCm),
      manufacturingYear: toWholeNumber(year) ?? edid?.year ?? null,
      manufacturingWeek: toWholeNumber(week) ?? edid?.week ?? null,
    }
  })
}

/**
 * The refresh rates in Hz of graphics cards by their resolution, such as `1920 x 1080`. Agents do not report them; if a
 * monitor prefers a resolution, the rate is the one that the first such monitor prefers.
 */
export function listRefreshRates(content: Entry): Map<string, string> {
  const rates = new Map<string, string>()
  for (const monitor of entriesOf(content.monitors)) {
    const timing = edidOf(monitor)?.preferred
    const resolution = timing && `${timing.width} x ${timing.height}`
    if (resolution && !rates.has(resolution)) rates.set(resolution, String(Math.round(timing.refreshRate * 100) / 100))
  }
  return rates
}

function edidOf(monitor: Entry) {
  return parseEdid(Buffer.from(toText(monitor.base64, 10_000) ?? '', 'base64'))
}

const centimetresPerInch = 2.54

/** In inches. Projectors report no size. */
function formatDiagonal(widthCm: number, heightCm: number): string | null {
  if (widthCm === 0 || heightCm === 0) return null
  return (Math.hypot(widthCm, heightCm) / centimetresPerInch).toFixed(1)
}

function toDensity(pixels: number | undefined, centimetres: number | undefined): number | null {
  return pixels && centimetres ? Math.round((pixels * centimetresPerInch) / centimetres) : null
}
