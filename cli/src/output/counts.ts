/** A number of things: `1 computer`, `2 computers`. */
export const formatCount = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** A size: `512 bytes`, `3.4 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const size = bytes / 1024 ** power
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[power]}`
}
