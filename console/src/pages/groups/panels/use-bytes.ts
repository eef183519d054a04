import { useFormat } from '../../../texts/format.ts'

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Formats a number of bytes with a unit that keeps it short. */
export function useBytes() {
  const format = useFormat()
  return (bytes: number) => {
    const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
    const size = bytes / 1_000 ** step
    return `${format.number(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))} ${units[step]}`
  }
}
