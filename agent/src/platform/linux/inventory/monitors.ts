import { parseEdid } from '../../common/edid.ts'
import { cleanText } from '../../common/texts.ts'
import { connectedDisplays } from './display-connectors.ts'
import type { SystemAccess } from './system-access.ts'

export async function collectMonitors(system: SystemAccess) {
  const makers = await system.text('/usr/share/hwdata/pnp.ids')
  const displays = await connectedDisplays(system)
  const found = await Promise.all(displays.map((display) => system.bytes(`${display}/edid`)))
  const items = found.flatMap((bytes) => {
    const edid = bytes && parseEdid(bytes)
    if (!edid) return []
    const maker = findMaker(makers ?? '', edid.vendorId)
    const name = cleanText(edid.name)
    return {
      caption: name ?? edid.vendorId,
      manufacturer: cleanText(maker) ?? edid.vendorId,
      monitorType: edid.isDigital ? 'Digital' : 'Analog',
      monitorName: name,
      serialNumber: cleanText(edid.serialNumber),
      vendorId: edid.vendorId,
      monitorSize: diagonal(edid.widthCm, edid.heightCm),
      screenWidth: edid.preferred?.width ?? null,
      screenHeight: edid.preferred?.height ?? null,
      pixelsPerXLogicalInch: density(edid.preferred?.width, edid.widthCm),
      pixelsPerYLogicalInch: density(edid.preferred?.height, edid.heightCm),
      manufacturingYear: edid.year,
      manufacturingWeek: edid.week,
    }
  })
  return { items }
}

/** The list has lines such as `DEL<tab>Dell Inc.`. A vendor id is whatever the monitor contains, for example `[[[`. */
function findMaker(makers: string, vendorId: string): string | undefined {
  const line = makers.split('\n').find((one) => one.startsWith(vendorId) && /\s/.test(one.charAt(vendorId.length)))
  return line?.slice(vendorId.length)
}

const centimetresPerInch = 2.54

/** In inches. Projectors have no size, and some monitors report only the aspect ratio. */
function diagonal(widthCm: number, heightCm: number): string | null {
  if (widthCm === 0 || heightCm === 0) return null
  return (Math.hypot(widthCm, heightCm) / centimetresPerInch).toFixed(1)
}

function density(pixels: number | undefined, centimetres: number): number | null {
  return pixels && centimetres ? Math.round((pixels * centimetresPerInch) / centimetres) : null
}
