import type { SystemAccess } from './system-access.ts'

const displays = '/sys/class/drm'

/** The folders of graphics connectors with a connected monitor. */
export async function connectedDisplays(system: SystemAccess): Promise<string[]> {
  const names = (await system.names(displays)).filter((name) => /^card\d+-/.test(name))
  const states = await Promise.all(names.map((name) => system.text(`${displays}/${name}/status`)))
  return names.filter((_, index) => states[index] === 'connected').map((name) => `${displays}/${name}`)
}

/** The preferred mode of the first monitor of a graphics card, or of any, as `1920 x 1080`. */
export async function currentMode(system: SystemAccess, card?: string): Promise<string | null> {
  const folder = card && (await system.target(card))
  for (const display of await connectedDisplays(system)) {
    const target = await system.target(display)
    if (folder && !target?.startsWith(`${folder}/`)) continue
    const [, width, height] = /^(\d+)x(\d+)/.exec((await system.text(`${display}/modes`)) ?? '') ?? []
    if (width && height) return `${width} x ${height}`
  }
  return null
}
