const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/**
 * A size in the units that all programs of Muster use, which are powers of 1,000: `512 bytes`, `3.4 MB`. Pages of the console
 * show the same units in the language of the person.
 */
export function formatBytes(bytes: number): string {
  let power = 0
  let size = bytes
  // By what will be shown: 999,960 bytes are 1.0 MB and not 1000.0 kB.
  while (size >= (power === 0 ? 1_000 : 999.5) && power < units.length - 1) {
    size /= 1_000
    power++
  }
  return `${power === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[power]}`
}
