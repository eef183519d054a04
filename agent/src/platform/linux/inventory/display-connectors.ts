import { basename } from 'node:path'
import { parseEdid } from '../../common/edid.ts'
import type { SystemAccess } from './system-access.ts'

const displays = '/sys/class/drm'

/** What a monitor shows. The refresh rate is in Hz, null if unknown. */
export type DisplayMode = { width: number; height: number; refreshRate: number | null }

/** The folders of graphics connectors with a connected monitor. */
export async function connectedDisplays(system: SystemAccess): Promise<string[]> {
  const names = (await system.names(displays)).filter((name) => /^card\d+-/.test(name))
  const states = await Promise.all(names.map((name) => system.text(`${displays}/${name}/status`)))
  return names.filter((_, index) => states[index] === 'connected').map((name) => `${displays}/${name}`)
}

/** The mode of the first monitor of a graphics card, or of any: the current one, otherwise the preferred one. */
export async function displayMode(system: SystemAccess, card?: string): Promise<DisplayMode | undefined> {
  const folder = card && (await system.target(card))
  for (const display of await connectedDisplays(system)) {
    const target = await system.target(display)
    if (folder && !target?.startsWith(`${folder}/`)) continue
    const mode = (await currentMode(system, display)) ?? (await preferredMode(system, display))
    if (mode) return mode
  }
  return undefined
}

/** Formats a size as `1920 x 1080`. */
export function formatSize({ width, height }: DisplayMode): string {
  return `${width} x ${height}`
}

/**
 * The mode that the kernel has set, from its debug file system, which only root can read. A connector names its CRTC, and
 * the CRTC has a line such as `mode: "1920x1080": 60 148500 1920 2008 2052 2200 1080 1084 1089 1125 0x48 0x5`: the clock
 * in kHz is followed by four horizontal and four vertical numbers, of which the last ones are the totals.
 */
async function currentMode(system: SystemAccess, display: string): Promise<DisplayMode | undefined> {
  const [, card = '', connector = ''] = /^card(\d+)-(.+)$/.exec(basename(display)) ?? []
  const state = await system.text(`/sys/kernel/debug/dri/${card}/state`)
  const blocks = (state ?? '').split(/^(?=\S)/m)
  const ofConnector = blocks.find((block) => /^connector\[\d+\]: (.*)$/m.exec(block)?.[1] === connector)
  const crtc = /^\s+crtc=(.+)$/m.exec(ofConnector ?? '')?.[1]
  const ofCrtc = blocks.find((block) => /^crtc\[\d+\]: (.*)$/m.exec(block)?.[1] === crtc)
  const [clock = 0, width = 0, , , columns = 0, height = 0, , , rows = 0] = (
    /^\s+mode: "[^"]*": \d+ ([\d ]+)/m.exec(ofCrtc ?? '')?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  if (!width || !height) return undefined
  return { width, height, refreshRate: columns && rows ? (clock * 1_000) / (columns * rows) : null }
}

/** The first mode of the list. Its refresh rate is in the EDID if that prefers the same size. */
async function preferredMode(system: SystemAccess, display: string): Promise<DisplayMode | undefined> {
  const [, width, height] = /^(\d+)x(\d+)/.exec((await system.text(`${display}/modes`)) ?? '') ?? []
  if (!width || !height) return undefined
  const mode = { width: Number(width), height: Number(height) }
  const bytes = await system.bytes(`${display}/edid`)
  const timing = bytes && parseEdid(bytes)?.preferred
  const isSame = timing?.width === mode.width && timing.height === mode.height
  return { ...mode, refreshRate: isSame ? timing.refreshRate : null }
}
